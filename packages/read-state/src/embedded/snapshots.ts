import type { TenantId } from "@feed/domain/ids";
import { keepableBytes } from "@feed/runtime";
import { Packr } from "msgpackr";

/** Of packed values; the oldest go first. A page walk of 500 items takes about 20 KiB. */
const SNAPSHOTS_BYTES_MAX = 64 * 1024 * 1024;

interface Snapshot {
  readonly packed: Buffer;
  readonly expiresAtMs: number;
}

/** Values of page walks, packed so that they are counted in bytes and can't be changed by who put them. */
export class Snapshots {
  readonly #packr = new Packr({ useRecords: true });
  readonly #byKey = new Map<string, Snapshot>();
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(bytesMax: number = SNAPSHOTS_BYTES_MAX) {
    this.#bytesMax = bytesMax;
  }

  put(tenantId: TenantId, id: string, value: unknown, expiresAtMs: number): void {
    const key = snapshotKey(tenantId, id);
    this.#remove(key);
    const packed = keepableBytes(this.#packr.pack(value));
    this.#byKey.set(key, { packed, expiresAtMs });
    this.#bytes += packed.byteLength;
    for (const oldest of this.#byKey.keys()) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#remove(oldest);
    }
  }

  get(tenantId: TenantId, id: string, nowMs: number): unknown {
    const key = snapshotKey(tenantId, id);
    const snapshot = this.#byKey.get(key);
    if (snapshot === undefined) return undefined;
    if (snapshot.expiresAtMs > nowMs) return this.#packr.unpack(snapshot.packed);
    this.#remove(key);
    return undefined;
  }

  #remove(key: string): void {
    this.#bytes -= this.#byKey.get(key)?.packed.byteLength ?? 0;
    this.#byKey.delete(key);
  }
}

function snapshotKey(tenantId: TenantId, id: string): string {
  return JSON.stringify([tenantId, id]);
}
