import { readFileSync } from "node:fs";

/** The functions of kernel.wat; every argument that is not a count is an address in the shared memory. */
export interface Kernel {
  /** Returns the row to go on from; less than `end` when a query's buffer is full. */
  sweep(
    rows: number,
    rowBytes: number,
    scales: number,
    mask: number,
    begin: number,
    end: number,
    queries: number,
    state: number,
    capacity: number,
    full: number,
    firstSlot: number,
  ): number;
  rescore(query: number, rowBytes: number, addresses: number, count: number, scores: number): void;
  quantise(floats: number, floatRowBytes: number, row: number, scale: number): void;
  filter(
    facets: number,
    published: number,
    count: number,
    allowed: number,
    after: number,
    before: number,
    mask: number,
  ): void;
}

export type KernelVariant = "relaxed" | "plain";

const KERNEL_FILES: Readonly<Record<KernelVariant, string>> = {
  relaxed: "kernel.wasm",
  plain: "kernel-plain.wasm",
};

const modules = new Map<KernelVariant, WebAssembly.Module>();

/** The fastest variant this runtime accepts: relaxed SIMD becomes one instruction on machines with VNNI. */
export function supportedKernel(): KernelVariant {
  return WebAssembly.validate(kernelBytes("relaxed")) ? "relaxed" : "plain";
}

export function openKernel(memory: WebAssembly.Memory, variant: KernelVariant): Kernel {
  let module = modules.get(variant);
  if (module === undefined) {
    module = new WebAssembly.Module(kernelBytes(variant));
    modules.set(variant, module);
  }
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  return exports as unknown as Kernel;
}

function kernelBytes(variant: KernelVariant): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(new URL(KERNEL_FILES[variant], import.meta.url)));
}
