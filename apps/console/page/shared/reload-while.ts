import { useEffect, useRef } from "preact/hooks";
import type { Load } from "./load.ts";

const EVERY_MS = 2_000;

/**
 * Asks again and again for as long as what was answered last still moves: only after the answer before, since a later
 * question drops it, and after a failure as well. Nothing is asked for in a tab that nobody sees.
 */
export function useReloadWhile<Value>(
  load: Load<Value>,
  isMoving: (value: Value) => boolean,
): void {
  const wasMoving = useRef(false);
  if (load.state === "ready") wasMoving.current = isMoving(load.value);
  useEffect(() => {
    if (!wasMoving.current) return;
    const timer = setInterval(() => {
      if (document.hidden) return;
      clearInterval(timer);
      load.reload();
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [load.answers]);
}
