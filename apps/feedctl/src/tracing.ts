const SERVICE = "content-feed";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Starts OpenTelemetry in this thread where its standard variables ask for traces (docs/operating/traces.md), and sends what
 * is left when it is disposed. Where they don't, nothing is loaded and no span is made.
 */
export async function startTracing(role: string, env: Environment): Promise<AsyncDisposable> {
  if (!asksForTraces(env)) return { [Symbol.asyncDispose]: async () => undefined };
  const [api, { AsyncLocalStorageContextManager }, { OTLPTraceExporter }, resources, sdk] =
    await Promise.all([
      import("@opentelemetry/api"),
      import("@opentelemetry/context-async-hooks"),
      import("@opentelemetry/exporter-trace-otlp-http"),
      import("@opentelemetry/resources"),
      import("@opentelemetry/sdk-trace-base"),
    ]);
  // What the environment says goes before what is known here.
  const named = resources.resourceFromAttributes({ "service.name": `${SERVICE}-${role}` });
  const resource = named.merge(resources.detectResources({ detectors: [resources.envDetector] }));
  const spanProcessors = [new sdk.BatchSpanProcessor(new OTLPTraceExporter())];
  const provider = new sdk.BasicTracerProvider({ resource, spanProcessors });
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  api.trace.setGlobalTracerProvider(provider);
  return {
    [Symbol.asyncDispose]: async () => {
      // A collector that is away must not keep a role from closing well.
      await provider.shutdown().catch(() => undefined);
      api.trace.disable();
      api.context.disable();
    },
  };
}

function asksForTraces(env: Environment): boolean {
  if (env["OTEL_SDK_DISABLED"]?.toLowerCase() === "true") return false;
  const exporter = env["OTEL_TRACES_EXPORTER"] ?? "";
  if (exporter !== "") return exporter === "otlp";
  return Boolean(env["OTEL_EXPORTER_OTLP_ENDPOINT"] || env["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"]);
}
