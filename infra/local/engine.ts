/** One engine of `make engines`: how it is installed, started and asked whether it serves. */
export interface Engine {
  readonly name: string;
  /** The ports it listens on, by purpose, with those it usually has. `main` is the one callers use. */
  readonly usualPorts: Readonly<Record<"main", number>> & Readonly<Record<string, number>>;
  /** Changes when what is installed changes; an installation with the same stamp is left as it is. */
  readonly stamp: string;
  /** Puts the engine below `directory`, which is empty. */
  install(directory: string): Promise<void>;
  /** Writes configuration and formats storage where needed; resolves with what to run. */
  prepare(place: EnginePlace): Promise<Command>;
  isReady(place: EnginePlace): Promise<boolean>;
  /** Settings with which the service finds it: lines of `.engines/env`. */
  variables(place: EnginePlace): Readonly<Record<string, string>>;
}

/** Where one engine lives. Data outlive a new installation. */
export interface EnginePlace {
  /** What `install` made. */
  readonly program: string;
  readonly data: string;
  /** Configuration and temporary files, made anew at each start. */
  readonly scratch: string;
  readonly ports: Readonly<Record<string, number>>;
}

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export const HOST = "127.0.0.1";

/** Whether a GET is answered with 200 to 299. */
export async function answers(url: string): Promise<boolean> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.ok === true;
}
