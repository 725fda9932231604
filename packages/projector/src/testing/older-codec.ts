import { UnreadableRecord, type FactCodec } from "@feed/event-codec";
import { codec } from "./installation.ts";

/** That of an older build, which does not know the schema of articles that were served alone. */
export const olderCodec: FactCodec = {
  encode: (fact) => codec.encode(fact),
  decode: (bytes) => {
    const fact = codec.decode(bytes);
    if (fact.type === "content.delivered")
      throw new UnreadableRecord("schema 23 is not registered");
    return fact;
  },
};
