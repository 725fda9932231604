import { parseArgs } from "node:util";
import { startDemoPublishers } from "./site.ts";

const PUBLISH_EVERY_MS = 60_000;

const { values } = parseArgs({ options: { port: { type: "string", default: "8790" } } });
const port = Number(values.port);
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  console.error(`--port must be an integer from 0 to 65535, not "${values.port}"`);
  process.exit(2);
}

await using site = await startDemoPublishers({ nowMs: Date.now(), port });
console.log(
  `${site.articleCount} articles of ${site.publishers.length} publishers at ${site.baseUrl}/`,
);
const timer = setInterval(() => {
  console.log(`published: ${site.publish().title}`);
}, PUBLISH_EVERY_MS);
await new Promise((resolve) => {
  process.once("SIGINT", resolve);
  process.once("SIGTERM", resolve);
});
clearInterval(timer);
