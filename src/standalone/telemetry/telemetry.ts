import { isSpanContextValid, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { NodeSDK, resources } from '@opentelemetry/sdk-node';
import type { FastifyInstance } from 'fastify';
import { asksForTraces, EnvironmentError, provideTraceHeaders } from '../../platform/config';
import { HarmlessSpanExporter } from './harmless-spans';

/** Optional peer dependencies: a host configures OpenTelemetry itself. */
const PACKAGES = ['sdk-node', 'exporter-trace-otlp-http', 'instrumentation-http', 'instrumentation-pg'].map(
  (name) => `@opentelemetry/${name}`,
);

/** Time limit for sending the rest at the end: an unreachable collector must not delay the stop. */
const FLUSH_MS = 1_000;

export interface Telemetry {
  /** Returns the ids of the current trace, for log lines. */
  ids(): { trace_id?: string; span_id?: string };
  /** Names request spans by method and route. Call it before the server listens. */
  nameRequests(server: FastifyInstance): void;
  /** Sends the remaining spans, for at most a second. Never rejects. */
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
 * Traces requests and their database queries, exported by OTLP over HTTP as JSON if the `OTEL_*` variables enable it.
 * Otherwise the OpenTelemetry SDK is not loaded. Call it before `node:http` and `pg` are loaded.
 * Errors: `EnvironmentError` if its packages, which are optional, are not installed, or a file of headers is unusable.
 */
export function startTelemetry(): Telemetry {
  if (!asksForTraces()) return silent;
  provideTraceHeaders();
  const sdk = createSdk();
  sdk.start();
  return { ids, nameRequests, stop: () => stop(sdk) };
}

function createSdk(): NodeSDK {
  try {
    return tracingSdk();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    throw new EnvironmentError([
      {
        variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
        problem: 'is set, and OpenTelemetry is not part of this installation',
        allowed: `none, or an endpoint after: npm install ${PACKAGES.join(' ')}`,
      },
    ]);
  }
}

function tracingSdk(): NodeSDK {
  return new NodeSDK({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES override it. Other detectors, which read command lines, are not
    // used.
    resource: resources.defaultResource().merge(resources.resourceFromAttributes({ 'service.name': 'castellan' })),
    resourceDetectors: [resources.envDetector],
    traceExporter: new HarmlessSpanExporter(new OTLPTraceExporter()),
    // Metrics are for Prometheus, and logs go to standard output.
    metricReaders: [],
    logRecordProcessors: [],
    // No spans for outgoing requests: URLs of providers contain codes. The log reports these calls.
    instrumentations: [
      new HttpInstrumentation({ disableOutgoingRequestInstrumentation: true }),
      new PgInstrumentation({ requireParentSpan: true }),
    ],
  });
}

async function stop(sdk: NodeSDK): Promise<void> {
  const ended = sdk.shutdown().catch(() => undefined);
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, FLUSH_MS).unref())]);
}
