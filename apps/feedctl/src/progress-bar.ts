/** How often a terminal's line is drawn anew, and a file gets another line. */
const REDRAW_INTERVAL_MS = 100;
const LINE_INTERVAL_MS = 5_000;
const BAR_CHARS = 30;

/** How far a long piece of work is. */
export interface Progress {
  readonly done: number;
  /** Of it, what was done before: it says nothing of the rate. */
  readonly doneBefore: number;
  /** May grow meanwhile. */
  readonly total: number;
  readonly elapsedMs: number;
  /** What is counted, in the plural. */
  readonly unit: string;
}

/** Where progress is shown: standard error, so that standard output holds the result alone. */
export interface ProgressOutput {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

/** One line: a bar, how much of how much, how many a second, and the time left. */
export function progressLine({ done, doneBefore, total, elapsedMs, unit }: Progress): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const filled = Math.round(share * BAR_CHARS);
  const bar = `[${"#".repeat(filled)}${".".repeat(BAR_CHARS - filled)}]`;
  const perSecond = elapsedMs === 0 ? 0 : ((done - doneBefore) * 1_000) / elapsedMs;
  const left = perSecond === 0 ? "" : `, ${timeText((total - done) / perSecond)} left`;
  const percent = Math.floor(share * 100);
  return `${bar} ${percent} % ${done}/${total} ${unit}, ${Math.round(perSecond)}/s${left}`;
}

function timeText(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}

/** Shows progress as often as it is of use; disposing ends the line. */
export class ProgressBar implements Disposable {
  readonly #output: ProgressOutput;
  readonly #unit: string;
  readonly #nowMs: () => number;
  readonly #startedAtMs: number;
  readonly #intervalMs: number;
  #shownAtMs = -Infinity;
  #doneBefore: number | undefined;
  /** The total at which it was shown to be done. */
  #wholeTotal: number | undefined;

  /** `unit`: what is counted, in the plural. */
  constructor(
    output: ProgressOutput = process.stderr,
    unit = "records",
    nowMs: () => number = () => performance.now(),
  ) {
    this.#output = output;
    this.#unit = unit;
    this.#nowMs = nowMs;
    this.#startedAtMs = nowMs();
    this.#intervalMs = output.isTTY === true ? REDRAW_INTERVAL_MS : LINE_INTERVAL_MS;
  }

  show(done: number, total: number): void {
    const nowMs = this.#nowMs();
    const isTold = done < total || total === this.#wholeTotal;
    if (nowMs - this.#shownAtMs < this.#intervalMs && isTold) return;
    this.#shownAtMs = nowMs;
    if (done >= total) this.#wholeTotal = total;
    this.#doneBefore ??= done;
    const elapsedMs = nowMs - this.#startedAtMs;
    const doneBefore = this.#doneBefore;
    const line = progressLine({ done, doneBefore, total, elapsedMs, unit: this.#unit });
    this.#output.write(this.#output.isTTY === true ? `\r${line}\u001b[K` : `${line}\n`);
  }

  [Symbol.dispose](): void {
    if (this.#output.isTTY === true) this.#output.write("\n");
  }
}
