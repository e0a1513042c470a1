import { Attributes, SpanKind } from '@opentelemetry/api';
import type { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';

type SpanExporter = Pick<OTLPTraceExporter, 'export' | 'forceFlush' | 'shutdown'>;
type ReadableSpan = Parameters<SpanExporter['export']>[0][number];

const EVERYWHERE = ['error.type', 'network.protocol.version'];
/** Of a request neither its path nor its query, which may hold tokens and codes, nor anything its headers say. */
const OF_REQUESTS = ['http.request.method', 'http.response.status_code', 'http.route', 'url.scheme'];
/** Statements hold placeholders where their values were. */
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
const inside = new Set([...EVERYWHERE, ...OF_QUERIES]);
const atTheDoor = new Set([...EVERYWHERE, ...OF_REQUESTS]);

function harmless(attributes: Attributes, kind: SpanKind): Attributes {
  const allowed = kind === SpanKind.SERVER ? atTheDoor : inside;
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => allowed.has(name)));
}

/** The span without what may carry somebody's words: only known attributes, no events, no messages of errors. */
export function harmlessSpan(span: ReadableSpan): ReadableSpan {
  return Object.create(span, {
    attributes: { value: harmless(span.attributes, span.kind) },
    events: { value: [] },
    links: { value: [] },
    status: { value: { code: span.status.code } },
  }) as ReadableSpan;
}

/** Lets nothing out of the process that is not known to be harmless, whatever instrumentations come to note. */
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
