/** Work on one thing after the other, on different things at once. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Resolves and rejects as `work` does, when all that came before under the same key has ended. */
  async take<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }
}
