/** What the work costs this thread in milliseconds of a processor: about as much on a busy machine as on an idle one. */
export function processorMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
