import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { openCore } from "@feed/engines";
import { systemClock } from "@feed/runtime";
import { temporaryDirectory, waitFor } from "@feed/test-kit";
import { startService } from "@feed/test-kit/service-process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appendDirectory } from "../bench/src/installation/append-articles.ts";
import { directoryFacts } from "../bench/src/installation/directory-facts.ts";

/** Goal: one trace from a request through the log to what is visible. Method: a collector that notes what it is sent. */
const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const CALLER_SPAN_ID = "b7ad6b7169203331";
const TIMEOUT = { timeoutMs: 240_000 };
const TEST_TIMEOUT_MS = 300_000;
const USER_ID = "reader-whom-no-trace-names";

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}
interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly Attribute[];
}
interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

const stack = new AsyncDisposableStack();
const sent: Sent[] = [];
let baseUrl: string;
let apiKey: string;
beforeAll(async () => {
  const collector = createServer((request, response) => {
    // At the end the service is killed, and with it what it sends then.
    if (request.url === "/v1/traces")
      json(request).then(
        (body) => sent.push(body as Sent),
        () => undefined,
      );
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  // Kept until the service ends it: one that ends here, just as it is used again, would lose what is sent.
  collector.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  stack.defer(() => void collector.close());
  const { port } = collector.address() as AddressInfo;
  const { path } = stack.use(await temporaryDirectory());
  apiKey = await makeTenant(path);
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_BSP_SCHEDULE_DELAY: "50",
    // What is not taken in time is dropped; this process, too, may stand still on a busy machine.
    OTEL_BSP_EXPORT_TIMEOUT: "120000",
    OTEL_EXPORTER_OTLP_TIMEOUT: "120000",
    OTEL_TRACES_SAMPLER: "parentbased_always_off",
  };
  const service = stack.use(await startService({ dataDirectory: path, environment }));
  ({ baseUrl } = service);
}, TEST_TIMEOUT_MS);
afterAll(() => stack.disposeAsync());

/** A tenant in an installation without sources; its key. */
async function makeTenant(dataDirectory: string): Promise<string> {
  const nowMs = systemClock.nowMs();
  const tenant = directoryFacts(nowMs);
  await using core = await openCore({ dataDirectory, embedder: "hashed:256" }, systemClock);
  const ofTenant = tenant.facts.filter(({ type }) => type !== "source.saved");
  await appendDirectory(core, ofTenant, nowMs);
  return tenant.apiKey;
}

async function click(headers: Readonly<Record<string, string>>): Promise<number> {
  const events = [
    { type: "click", user_id: USER_ID, session_id: `session of ${USER_ID}`, content_id: "c1" },
  ];
  const answer = await fetch(`${baseUrl}/v1/events`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${apiKey}`,
      "content-type": "application/json",
      ...headers,
    },
    body: JSON.stringify({ events }),
  });
  return answer.status;
}

const spans = () =>
  sent.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );
const spanNamed = (name: string) => spans().find((span) => span.name === name);

describe("Traces", { timeout: TEST_TIMEOUT_MS }, () => {
  it("go on from the caller's through the request and the log to every projection of the event", async () => {
    expect(await click({ traceparent: `00-${TRACE_ID}-${CALLER_SPAN_ID}-01` })).toBe(202);
    const names = ["project read-state.users", "project activity-store.users"];
    // Each thread sends its own, in no order.
    const all = ["POST /v1/events", "append users", ...names];
    await waitFor(() => all.every((name) => spanNamed(name) !== undefined), TIMEOUT);
    const request = spanNamed("POST /v1/events");
    const append = spanNamed("append users");
    expect(request?.parentSpanId).toBe(CALLER_SPAN_ID);
    expect(append?.parentSpanId).toBe(request?.spanId);
    for (const name of names) expect(spanNamed(name)?.parentSpanId).toBe(append?.spanId);
    expect(new Set(spans().map(({ traceId }) => traceId))).toEqual(new Set([TRACE_ID]));
  });

  it("say which route, status, topic and projection, and nothing of the reader", () => {
    const request = spanNamed("POST /v1/events");
    expect(request?.attributes).toContainEqual({
      key: "http.route",
      value: { stringValue: "/v1/events" },
    });
    expect(request?.attributes).toContainEqual({
      key: "http.response.status_code",
      value: { intValue: 202 },
    });
    expect(JSON.stringify(sent)).not.toContain(USER_ID);
    const services = sent.flatMap(({ resourceSpans }) =>
      resourceSpans.map(
        ({ resource }) => resource.attributes.find(({ key }) => key === "service.name")?.value,
      ),
    );
    expect(services).toContainEqual({ stringValue: "content-feed-api" });
    expect(services).toContainEqual({ stringValue: "content-feed-projector" });
  });

  it("are sampled as the standard variables say: here none that the caller does not sample", async () => {
    const before = spans().length;
    expect(await click({})).toBe(202);
    expect(await click({ traceparent: `00-${TRACE_ID}-${CALLER_SPAN_ID}-00` })).toBe(202);
    expect(await click({ traceparent: `00-${TRACE_ID}-${"c".repeat(16)}-01` })).toBe(202);
    // The last one is sent: those before it would have been, too.
    const isSent = () => spans().some(({ parentSpanId }) => parentSpanId === "c".repeat(16));
    await waitFor(isSent, TIMEOUT);
    const requests = spans().filter(({ name }) => name === "POST /v1/events");
    expect(requests).toHaveLength(2);
    expect(spans().length).toBeGreaterThan(before);
  });
});
