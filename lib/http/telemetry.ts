import { SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import { singleton } from "#lib/core/singleton.ts";
import type { Exchange } from "./exchange.ts";

const TRACER = "rapport";
const state = singleton("telemetry", () => ({ on: false }));

/** Sends a span per request to `endpoint` (OTLP over HTTP). Returns the function that flushes and stops. */
export async function startTelemetry(endpoint: string): Promise<() => Promise<void>> {
  const [{ NodeTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import("@opentelemetry/sdk-trace-node"),
      import("@opentelemetry/exporter-trace-otlp-http"),
      import("@opentelemetry/resources"),
    ]);
  /** Next makes spans too, with the addresses of pages as they came: those of invitations and resets have tokens in them. */
  class OwnSpans extends BatchSpanProcessor {
    override onEnd(span: ReadableSpan): void {
      if (span.instrumentationScope.name === TRACER) super.onEnd(span);
    }
  }
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, "")}/v1/traces` });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ "service.name": "rapport" }),
    spanProcessors: [new OwnSpans(exporter)],
  });
  provider.register();
  state.on = true;
  return () => {
    state.on = false;
    return provider.shutdown();
  };
}

/** Runs `work` in a server span when telemetry is on. */
export function traced<T>(name: string, exchange: Exchange, work: () => Promise<T>): Promise<T> {
  if (!state.on) return work();
  return trace.getTracer(TRACER).startActiveSpan(
    name,
    {
      kind: SpanKind.SERVER,
      attributes: { "http.request.method": exchange.method, "http.route": routeOf(exchange) },
    },
    async (span) => {
      try {
        return await work();
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        span.setAttribute("error.type", error instanceof Error ? error.name : "unknown");
        throw error;
      } finally {
        span.end();
      }
    },
  );
}

/**
 * The path of a request with the names of its parameters for their values: `/v2/people/:focus`. Some values are secrets
 * (the token of an invitation, the address of an inbox), so a span never has them.
 */
export function routeOf({ path, params }: Pick<Exchange, "path" | "params">): string {
  const names = new Map(Object.entries(params).flatMap(([name, value]) => (value ? [[value, `:${name}`]] : [])));
  return path
    .split("/")
    .map((segment) => names.get(decoded(segment)) ?? segment)
    .join("/");
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
