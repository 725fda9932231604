/** One line on standard error for each step, with the time it took; standard output stays free. */
export async function step<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const startMs = performance.now();
  process.stderr.write(`  ${what} ...`);
  try {
    const result = await work();
    process.stderr.write(` ${((performance.now() - startMs) / 1_000).toFixed(1)} s\n`);
    return result;
  } catch (error) {
    process.stderr.write(" failed\n");
    throw error;
  }
}

export function note(text: string): void {
  process.stderr.write(`  ${text}\n`);
}
