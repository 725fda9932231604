import { readFile } from "node:fs/promises";
import wabt from "wabt";
import type { KernelVariant } from "./kernel.ts";

const FEATURES = { simd: true, relaxed_simd: true, threads: true };

const RELAXED_DOT = `(i32x4.relaxed_dot_i8x16_i7x16_add_s
      (local.get $a) (local.get $b) (local.get $accumulator))`;
/** The same sum of products in SIMD without relaxed instructions; lanes differ, their total does not. */
const PLAIN_DOT = `(i32x4.add
      (local.get $accumulator)
      (i32x4.add
        (i32x4.extadd_pairwise_i16x8_s (i16x8.extmul_low_i8x16_s (local.get $a) (local.get $b)))
        (i32x4.extadd_pairwise_i16x8_s (i16x8.extmul_high_i8x16_s (local.get $a) (local.get $b)))))`;

/** The bytes of a kernel, assembled from kernel.wat. */
export async function assembleKernel(variant: KernelVariant): Promise<Uint8Array> {
  const text = await readFile(new URL("kernel.wat", import.meta.url), "utf8");
  if (!text.includes(RELAXED_DOT)) throw new Error("kernel.wat has no relaxed dot to replace");
  const source = variant === "plain" ? text.replace(RELAXED_DOT, PLAIN_DOT) : text;
  const { parseWat } = await wabt();
  const module = parseWat("kernel.wat", source, FEATURES);
  try {
    return module.toBinary({}).buffer;
  } finally {
    module.destroy();
  }
}
