import { expect } from "vitest";

import type { Topic } from "@feed/domain/topics";

import { Inbox, readAll, record, textOf, until } from "./harness.ts";
import type { Check } from "./harness.ts";
import type { NewRecord } from "../port.ts";

function keyed(topic: Topic, key: string, text: string | null): NewRecord {
  return record(0, "", { topic, key, value: text === null ? null : Buffer.from(text) });
}

export const compactionChecks: readonly Check[] = [
  {
    name: "keeps the last record of each key of a compacted topic, at its offset",
    run: async (subject) => {
      const { log } = subject;
      await log.append([
        keyed("contents", "x", "x1"),
        keyed("contents", "y", "y1"),
        keyed("contents", "x", "x2"),
      ]);
      await log.append([keyed("contents", "x", "x3")]);
      await subject.compacted();
      const [last] = await log.append([keyed("contents", "z", "z1")]);
      const records = await readAll(log, "contents", 0);
      expect(records.map((one) => [one.offset, textOf(one)])).toEqual([
        [1, "y1"],
        [3, "x3"],
        [last?.offset, "z1"],
      ]);
      expect(last?.offset).toBeGreaterThan(3);
      const page = await log.read("contents", 0, 0, 1);
      expect(page).toMatchObject({ nextOffset: 2 });
    },
  },
  {
    name: "forgets a key after its tombstone, the tombstone too, and takes the key anew",
    run: async (subject) => {
      const { log } = subject;
      await log.append([keyed("user-keys", "u", "secret"), keyed("user-keys", "v", "kept")]);
      await log.append([keyed("user-keys", "u", null)]);
      expect((await readAll(log, "user-keys", 0)).at(-1)).toMatchObject({ key: "u", value: null });
      await subject.compacted();
      expect((await readAll(log, "user-keys", 0)).map(textOf)).toEqual(["kept"]);
      const [position] = await log.append([keyed("user-keys", "u", "again")]);
      expect(position?.offset).toBeGreaterThan(2);
      await subject.compacted();
      expect((await readAll(log, "user-keys", 0)).map(textOf)).toEqual(["kept", "again"]);
    },
  },
  {
    name: "removes nothing from a topic that is kept",
    run: async (subject) => {
      await subject.log.append(["1", "2", null].map((text) => keyed("users", "same", text)));
      await subject.compacted();
      expect(await readAll(subject.log, "users", 0)).toHaveLength(3);
    },
  },
  {
    name: "lets a follower pass the gaps that compaction left",
    run: async (subject) => {
      const { log, patienceMs } = subject;
      await log.append(["1", "2", "3"].map((text) => keyed("contents", "same", text)));
      await log.append([keyed("contents", "gone", "g"), keyed("contents", "gone", null)]);
      await subject.compacted();
      const inbox = new Inbox();
      await using _ = await log.follow({
        topic: "contents",
        from: new Map(),
        recordsMax: 1,
        onBatches: inbox.onBatches,
      });
      await until("what is left", patienceMs, () => inbox.records.length === 1);
      await log.append([keyed("contents", "new", "n")]);
      await until("the new record", patienceMs, () => inbox.records.length === 2);
      expect(inbox.texts()).toEqual(["3", "n"]);
    },
  },
];
