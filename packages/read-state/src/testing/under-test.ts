import { temporaryDirectory } from "@feed/test-kit";
import type { ReadStateUnderTest } from "../conformance/harness.ts";
import { openEmbeddedReadState } from "../embedded.ts";
import type { ReadState } from "../port.ts";

/** An embedded read state in a directory that goes when it is disposed. */
export async function openInFreshDirectory(): Promise<ReadStateUnderTest> {
  const directory = await temporaryDirectory();
  const opened: ReadState[] = [];
  const openAnother = async (): Promise<ReadState> => {
    const state = await openEmbeddedReadState({ directory: directory.path });
    opened.push(state);
    return state;
  };
  return {
    state: await openAnother(),
    openAnother,
    [Symbol.asyncDispose]: async () => {
      for (const state of opened) await state[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}
