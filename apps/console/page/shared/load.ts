import { useEffect, useState } from "preact/hooks";

export interface Loading {
  readonly state: "loading";
}
export interface Failed {
  readonly state: "failed";
  readonly error: unknown;
}
export interface Ready<Value> {
  readonly state: "ready";
  readonly value: Value;
}
/** What was asked for, as far as it has come. */
export type Load<Value> = (Loading | Failed | Ready<Value>) & {
  /** How many answers and failures were shown so far. */
  readonly answers: number;
  readonly reload: () => void;
};

/**
 * Asks when the screen opens and whenever a key changes; an answer that comes later than the next question is dropped.
 * `reload` asks once more and keeps showing what is there.
 */
export function useLoad<Value>(
  ask: () => Promise<Value>,
  keys: readonly (string | number | undefined)[],
): Load<Value> {
  const [outcome, setOutcome] = useState<Loading | Failed | Ready<Value>>({ state: "loading" });
  const [round, setRound] = useState(0);
  const [answers, setAnswers] = useState(0);
  const key = JSON.stringify(keys);
  const [shownKey, setShownKey] = useState(key);
  useEffect(() => {
    let isCurrent = true;
    const settle = (next: Failed | Ready<Value>) => {
      if (!isCurrent) return;
      setOutcome(next);
      setAnswers((last) => last + 1);
      setShownKey(key);
    };
    ask().then(
      (value) => settle({ state: "ready", value }),
      (error: unknown) => settle({ state: "failed", error }),
    );
    return () => {
      isCurrent = false;
    };
  }, [key, round]);
  const shown = key === shownKey ? outcome : ({ state: "loading" } as const);
  return { ...shown, answers, reload: () => setRound((last) => last + 1) };
}

/** Something a reader starts: whether it runs, and what it failed with the last time. */
export interface Action {
  readonly isBusy: boolean;
  readonly error: unknown;
  /** Whether it was done. While it runs, a further call does nothing. */
  readonly run: (work: () => Promise<void>) => Promise<boolean>;
  readonly clear: () => void;
}

export function useAction(): Action {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const run = async (work: () => Promise<void>): Promise<boolean> => {
    if (isBusy) return false;
    setBusy(true);
    setError(undefined);
    try {
      await work();
      return true;
    } catch (failure) {
      setError(failure);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, run, clear: () => setError(undefined) };
}
