import { expect, it } from "vitest";
import { publicUrlOf } from "./settings.ts";

it.each([
  ["https://feed.example.com", "https://feed.example.com"],
  ["HTTPS://Feed.Example.com:443/", "https://feed.example.com"],
  ["https://example.com:8443/feed//", "https://example.com:8443/feed"],
])("PUBLIC_URL %s is %s, as what is compared with it says it", (publicUrl, normal) => {
  expect(publicUrlOf({ publicUrl })).toEqual({ publicUrl: normal });
});
