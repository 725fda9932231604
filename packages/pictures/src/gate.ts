/** Lets a bounded number of tasks run at a time; the others wait in order. */
export class Gate {
  readonly #tasksMax: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(tasksMax: number) {
    this.#tasksMax = tasksMax;
  }

  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#tasksMax)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
    try {
      return await task();
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }
}
