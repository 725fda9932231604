import { useEffect, useState } from "preact/hooks";

/** Where the reader is: the steps behind `#/`. */
export function stepsOf(hash: string): readonly string[] {
  return hash
    .replace(/^#\/?/, "")
    .split("/")
    .filter((step) => step !== "")
    .map(decoded);
}

export function hashOf(steps: readonly string[]): string {
  return `#/${steps.map(encodeURIComponent).join("/")}`;
}

export function goTo(steps: readonly string[]): void {
  location.hash = hashOf(steps);
}

/** The same without the address there was: neither seen any more nor in the history. */
export function replaceSteps(steps: readonly string[]): void {
  history.replaceState(null, "", hashOf(steps));
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/** The steps, and again whenever they change. */
export function useSteps(): readonly string[] {
  const [steps, setSteps] = useState(() => stepsOf(location.hash));
  useEffect(() => {
    const onChange = () => setSteps(stepsOf(location.hash));
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, []);
  return steps;
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
