import { setImmediate } from "node:timers/promises";
import { ObjectStoreUnavailable } from "@feed/object-store";
import { createLogger } from "@feed/runtime";
import { manualClock } from "@feed/test-kit";
import sharp from "sharp";
import { expect, it } from "vitest";
import { pictureStorage } from "./store-pictures.ts";

const URLS = ["first", "slow", "third", "fourth", "fifth", "sixth"];

it("storing pictures ends when nothing of it is in progress, where one could not be stored too", async () => {
  const create = { width: 9, height: 9, channels: 3, background: "#336699" } as const;
  const bytes = await sharp({ create }).png().toBuffer();
  const away = Promise.withResolvers<void>();
  const order: string[] = [];
  const objectStore = {
    head: () => {
      away.resolve();
      return Promise.reject(new ObjectStoreUnavailable("away"));
    },
    put: () => expect.fail("there is no store"),
  };
  const get = async (url: string) => {
    order.push(url);
    if (url !== "slow") return { url, status: 200, headers: {}, bytes };
    await away.promise;
    // All that follows from the store's answer alone has happened then.
    await setImmediate();
    order.push("slow ended");
    return { url, status: 404, headers: {}, bytes };
  };
  const storePictures = pictureStorage(
    {
      objectStore,
      state: { picture: () => undefined } as never,
      clock: manualClock(0),
      log: createLogger({ service: "test", level: "silent" }),
    },
    { get } as never,
  );
  const storing = storePictures(URLS, new AbortController().signal);
  await expect(storing.finally(() => order.push("ended"))).rejects.toThrow(ObjectStoreUnavailable);
  expect(order).toEqual(["first", "slow", "third", "fourth", "slow ended", "ended"]);
});
