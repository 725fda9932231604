import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Koa from "koa";

/**
 * The reference: a Koa server that does nothing but answer the bytes of one recorded answer, under the same
 * headers. `node bare-koa.main.ts RECORDING` prints its port.
 */
interface Recording {
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyBase64: string;
}

const recording = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Recording;
const body = Buffer.from(recording.bodyBase64, "base64");
const app = new Koa();
app.use((ctx) => {
  ctx.set({ ...recording.headers });
  ctx.body = body;
});
const server = createServer(app.callback());
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
