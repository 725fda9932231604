import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
/** Without these a headless browser looks for its vendor's servers, which a test has no business with. */
const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The system's Chromium. Fails, rather than skips, where there is none: set CHROMIUM to its path. */
export async function openBrowser(): Promise<Browser> {
  if (!existsSync(CHROMIUM))
    throw new Error(`no browser at ${CHROMIUM}: set CHROMIUM to the path of one`);
  return chromium.launch({ executablePath: CHROMIUM, args: QUIET });
}
