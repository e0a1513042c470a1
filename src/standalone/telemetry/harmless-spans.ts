import { Attributes, SpanKind } from '@opentelemetry/api';
import type { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';

type SpanExporter = Pick<OTLPTraceExporter, 'export' | 'forceFlush' | 'shutdown'>;
type ReadableSpan = Parameters<SpanExporter['export']>[0][number];

const EVERYWHERE = ['error.type', 'network.protocol.version'];
/** Excludes path, query and headers, which may contain tokens and codes. */
const OF_REQUESTS = ['http.request.method', 'http.response.status_code', 'http.route', 'url.scheme'];
/** Statements contain placeholders instead of values. */
const OF_QUERIES = [
  'db.system',
  'db.system.name',
  'db.name',
  'db.namespace',
  'db.statement',
  'db.query.text',
  'db.operation.name',
  'db.response.status_code',
  'server.address',
  'server.port',
];
const INTERNAL_ATTRIBUTES = new Set([...EVERYWHERE, ...OF_QUERIES]);
const SERVER_ATTRIBUTES = new Set([...EVERYWHERE, ...OF_REQUESTS]);

function harmless(attributes: Attributes, kind: SpanKind): Attributes {
  const allowed = kind === SpanKind.SERVER ? SERVER_ATTRIBUTES : INTERNAL_ATTRIBUTES;
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => allowed.has(name)));
}

/** Returns the span without user data: only known attributes, no events, no error messages. */
export function harmlessSpan(span: ReadableSpan): ReadableSpan {
  return Object.create(span, {
    attributes: { value: harmless(span.attributes, span.kind) },
    events: { value: [] },
    links: { value: [] },
    status: { value: { code: span.status.code } },
  }) as ReadableSpan;
}

/** Exports only attributes that are known to be safe, whatever instrumentations record. */
export class HarmlessSpanExporter implements SpanExporter {
  constructor(private readonly inner: SpanExporter) {}

  export(...[spans, done]: Parameters<SpanExporter['export']>): void {
    this.inner.export(spans.map(harmlessSpan), done);
  }

  forceFlush(): Promise<void> {
    return this.inner.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.inner.shutdown();
  }
}
