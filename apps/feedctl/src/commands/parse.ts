import { InvalidArgumentError } from "commander";

/** A TCP port; 0 takes any free one. */
export function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new InvalidArgumentError("not a port from 0 to 65535");
  return port;
}
