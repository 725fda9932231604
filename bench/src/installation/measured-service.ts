import { startService } from "@feed/test-kit/service-process";
import type { ServiceProcess } from "@feed/test-kit/service-process";

export interface MeasuredService {
  readonly dataDirectory: string;
  /** Commands in front, e.g. ON_SERVER_CORE. */
  readonly prefix?: readonly string[];
}

/** Starts the service to be measured. `BENCH_PROFILE=DIRECTORY` has each of its threads write a CPU profile there. */
export async function startMeasured(options: MeasuredService): Promise<ServiceProcess> {
  const profiles = process.env["BENCH_PROFILE"];
  const service = await startService({
    ...options,
    ...(profiles !== undefined && { nodeFlags: ["--cpu-prof", `--cpu-prof-dir=${profiles}`] }),
  });
  // Stopped as an operator does: a profile is written by an orderly end.
  return { ...service, [Symbol.asyncDispose]: async () => void (await service.stop("SIGTERM")) };
}
