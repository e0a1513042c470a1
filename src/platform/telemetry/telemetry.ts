import { isSpanContextValid, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { NodeSDK, resources } from '@opentelemetry/sdk-node';
import type { FastifyInstance } from 'fastify';
import { asksForTraces } from '../config';
import { HarmlessSpanExporter } from './harmless-spans';

/** What is still to be sent at the end may take so long; a collector that is away holds up no stop. */
const LAST_WORDS_MS = 1_000;

export interface Telemetry {
  /** The ids of the trace that the caller works for, for its log lines. */
  ids(): { trace_id?: string; span_id?: string };
  /** Names the spans of requests by method and route; to be called before the server listens. */
  nameRequests(server: FastifyInstance): void;
  /** Sends what is left, for a second at most. Never fails. */
  stop(): Promise<void>;
}

const silent: Telemetry = { ids: () => ({}), nameRequests: () => undefined, stop: async () => undefined };

function ids(): ReturnType<Telemetry['ids']> {
  const context = trace.getActiveSpan()?.spanContext();
  if (!context || !isSpanContextValid(context)) return {};
  return { trace_id: context.traceId, span_id: context.spanId };
}

function nameRequests(server: FastifyInstance): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const { url: route } = request.routeOptions;
    if (route !== undefined) {
      trace.getActiveSpan()?.updateName(`${request.method} ${route}`).setAttribute('http.route', route);
    }
    done();
  });
}

/**
 * Traces of requests and of what they ask the database, sent by OTLP over HTTP as JSON, where the `OTEL_*` variables ask
 * for them; else nothing of OpenTelemetry's machinery is loaded. Call it before `node:http` and `pg` are loaded.
 */
export function startTelemetry(): Telemetry {
  if (!asksForTraces()) return silent;
  const sdk = new NodeSDK({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win; what other detectors find, command lines among it, is not asked for.
    resource: resources.defaultResource().merge(resources.resourceFromAttributes({ 'service.name': 'castellan' })),
    resourceDetectors: [resources.envDetector],
    traceExporter: new HarmlessSpanExporter(new OTLPTraceExporter()),
    // Metrics are Prometheus's, and logs go to the standard output.
    metricReaders: [],
    logRecordProcessors: [],
    // Whom the service calls is told by what it logs; addresses of providers carry codes.
    instrumentations: [
      new HttpInstrumentation({ disableOutgoingRequestInstrumentation: true }),
      new PgInstrumentation({ requireParentSpan: true }),
    ],
  });
  sdk.start();
  return { ids, nameRequests, stop: () => stop(sdk) };
}

async function stop(sdk: NodeSDK): Promise<void> {
  const ended = sdk.shutdown().catch(() => undefined);
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS).unref())]);
}
