const LOOK_EVERY_MS = 20;
/** A look that comes later than this was kept from coming. */
const LATE_MS = 200;

/**
 * What some work takes in milliseconds, without the time in which this process stood still itself: nothing on the machine
 * was let run then, and what is measured would be the machine.
 */
export async function msOf(work: Promise<unknown>): Promise<number> {
  let tookMs = 0;
  let seenMs = performance.now();
  const look = (): void => {
    const nowMs = performance.now();
    tookMs += Math.min(nowMs - seenMs, LATE_MS);
    seenMs = nowMs;
  };
  const looking = setInterval(look, LOOK_EVERY_MS);
  try {
    await work;
  } finally {
    clearInterval(looking);
    look();
  }
  return tookMs;
}
