import { writeFile } from "node:fs/promises";
import { assembleKernel } from "./assemble-kernel.ts";

/** Writes both kernels anew after kernel.wat was changed. */
await writeFile(new URL("kernel.wasm", import.meta.url), await assembleKernel("relaxed"));
await writeFile(new URL("kernel-plain.wasm", import.meta.url), await assembleKernel("plain"));
