import type { Adapter, AdapterConstructor, AdapterPayload } from "oidc-provider";

/** What a provider remembers, over every change of its keys. Nothing is ever forgotten by age: tests are short. */
export function providerMemory(): AdapterConstructor {
  const records = new Map<string, AdapterPayload>();
  return class implements Adapter {
    readonly #kind: string;

    constructor(kind: string) {
      this.#kind = kind;
    }

    async upsert(id: string, payload: AdapterPayload) {
      records.set(this.#key(id), payload);
    }

    async find(id: string) {
      return records.get(this.#key(id));
    }

    async findByUid(uid: string) {
      return [...records.values()].find((one) => one.kind === this.#kind && one.uid === uid);
    }

    async findByUserCode() {
      return undefined;
    }

    async consume(id: string) {
      const record = records.get(this.#key(id));
      if (record !== undefined) record.consumed = Math.floor(Date.now() / 1_000);
    }

    async destroy(id: string) {
      records.delete(this.#key(id));
    }

    async revokeByGrantId(grantId: string) {
      for (const [key, one] of records) if (one.grantId === grantId) records.delete(key);
    }

    #key(id: string): string {
      return `${this.#kind}:${id}`;
    }
  };
}
