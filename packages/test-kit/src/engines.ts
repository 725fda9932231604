/**
 * Address of a real engine, as the service's own setting names it (`EVENT_LOG`, `CONTENT_INDEX`, …). `make engines`
 * writes them down and the configuration of the engine tests reads them.
 *
 * @throws when nothing says where the engine is: its tests then fail, they are not skipped.
 */
export function engineUrl(setting: string): string {
  const url = process.env[setting];
  if (url === undefined || url === "")
    throw new Error(`${setting} is not set: start the engines with \`make engines\``);
  return url;
}
