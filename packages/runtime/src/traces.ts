import {
  context,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type Span,
} from "@opentelemetry/api";

/**
 * Spans of OpenTelemetry, by its interface alone: where no SDK was started, none is recorded and nothing is kept. Attributes
 * hold no user, content or address, as labels of metrics don't.
 */

const TRACER = "content-feed";
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Where a trace goes on, as W3C Trace Context writes it; undefined: no span is being recorded here. */
export function activeTraceparent(): string | undefined {
  const span = trace.getActiveSpan();
  return span?.isRecording() === true ? traceparentOf(span) : undefined;
}

/** Id of the trace that is recorded here, for logs. */
export function activeTraceId(): string | undefined {
  return trace.getActiveSpan()?.spanContext().traceId;
}

export function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}

interface SpanOptions {
  readonly kind: keyof typeof SpanKind;
  /** Of the caller, by traceparent; absent: the span that is active. One that is malformed begins a trace. */
  readonly traceparent?: string | undefined;
  readonly attributes?: Attributes;
}

/**
 * Does the work within a span, which is active meanwhile. What it rejects with makes the span one of an error, by its class
 * alone: a message may hold what is nobody else's.
 */
export async function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const span = startSpan(name, options);
  if (!span.isRecording()) return work(span);
  try {
    return await context.with(trace.setSpan(context.active(), span), () => work(span));
  } catch (error) {
    failSpan(span, error instanceof Error ? error.name : "unknown");
    throw error;
  } finally {
    span.end();
  }
}

/** A piece of work that is over, as a span below the one that `traceparent` names. */
export function recordSpan(
  name: string,
  options: SpanOptions & { readonly startMs: number; readonly endMs: number },
): void {
  startSpan(name, options).end(options.endMs);
}

export function failSpan(span: Span, reason: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: reason });
}

function startSpan(
  name: string,
  { kind, traceparent, attributes = {}, startMs }: SpanOptions & { readonly startMs?: number },
): Span {
  const parent = traceparent === undefined ? context.active() : contextOf(traceparent);
  const start = startMs === undefined ? {} : { startTime: startMs };
  const options = { kind: SpanKind[kind], attributes, ...start };
  return trace.getTracer(TRACER).startSpan(name, options, parent);
}

function contextOf(traceparent: string): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined) return context.active();
  const traceFlags = Number.parseInt(flags ?? "00", 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(context.active(), { traceId, spanId, traceFlags, isRemote: true });
}
