import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ENGINES_DIRECTORY } from "./directories.ts";
import { HOST, type Engine, type EnginePlace } from "./engine.ts";
import { installOnce } from "./install-once.ts";
import { choosePorts, type Ports } from "./ports.ts";
import { halt, launch, runningPid, untilServing, type ProcessFiles } from "./processes.ts";

/** Machines that are busy with other things take long to start a Java engine, or to load a million keys. */
const START_TIMEOUT_S = 300;

/** Installs the engine where it is missing and starts it where it does not run; resolves once it serves. */
export async function start(engine: Engine): Promise<string> {
  const files = filesOf(engine);
  const { program, data, scratch } = directoriesOf(engine);
  const waitingAt = (place: EnginePlace) => ({
    timeoutS: START_TIMEOUT_S,
    isReady: () => engine.isReady(place),
  });
  const running = runningPid(files) === undefined ? undefined : placeOf(engine);
  // One that took too long to start may be about to serve.
  if (running !== undefined) await untilServing(files, waitingAt(running));
  else {
    await installOnce(program, engine.stamp, () => engine.install(program));
    mkdirSync(data, { recursive: true });
    rmSync(scratch, { recursive: true, force: true });
    mkdirSync(scratch);
    const ports = await choosePorts(engine.usualPorts, lastPorts(engine));
    writeFileSync(portsFile(engine), JSON.stringify(ports));
    const place = { program, data, scratch, ports };
    await launch(await engine.prepare(place), files, waitingAt(place));
  }
  return status(engine);
}

export async function stop(engine: Engine): Promise<string> {
  await halt(filesOf(engine));
  return status(engine);
}

/** One word or two, and where it is reached when it serves. */
export async function status(engine: Engine): Promise<string> {
  const pid = runningPid(filesOf(engine));
  const place = placeOf(engine);
  if (pid === undefined || place === undefined) return "stopped";
  const state = (await engine.isReady(place)) ? "serves" : "does not answer";
  return `${state} on ${HOST}:${place.ports["main"]} (pid ${pid})`;
}

/** Whether the engine runs and serves. */
export async function serves(engine: Engine): Promise<boolean> {
  const place = placeOf(engine);
  return (
    place !== undefined &&
    runningPid(filesOf(engine)) !== undefined &&
    (await engine.isReady(place))
  );
}

/** Writes `.engines/env`: `NAME=value` lines of every engine that was ever started here. */
export function writeEnvironment(engines: readonly Engine[]): void {
  const lines = engines.flatMap((engine) => {
    const place = placeOf(engine);
    const variables = place === undefined ? {} : engine.variables(place);
    return Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  });
  writeFileSync(join(ENGINES_DIRECTORY, "env"), lines.join(""));
}

function placeOf(engine: Engine): EnginePlace | undefined {
  const ports = lastPorts(engine);
  return ports && { ...directoriesOf(engine), ports };
}

function directoriesOf({ name }: Engine) {
  const root = join(ENGINES_DIRECTORY, name);
  return {
    program: join(root, "program"),
    data: join(root, "data"),
    scratch: join(root, "scratch"),
  };
}

function filesOf({ name }: Engine): ProcessFiles {
  const root = join(ENGINES_DIRECTORY, name);
  return { pid: join(root, "pid"), log: join(root, "log") };
}

function portsFile({ name }: Engine): string {
  return join(ENGINES_DIRECTORY, name, "ports.json");
}

function lastPorts(engine: Engine): Ports | undefined {
  try {
    return JSON.parse(readFileSync(portsFile(engine), "utf8")) as Ports;
  } catch {
    return undefined;
  }
}
