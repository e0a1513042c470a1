import { createServer, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

type Attribute = { readonly key: string; readonly value: Record<string, unknown> };

/** The members of a span in OTLP's JSON that tests read. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly Attribute[];
}

interface Export {
  readonly resourceSpans: readonly { scopeSpans: readonly { spans: readonly CollectedSpan[] }[] }[];
}

/** An OpenTelemetry collector that accepts every HTTP request. */
export class Collector {
  /** Every body in the order of arrival. */
  readonly bodies: string[] = [];
  /** The `Authorization` header of each, if it has one. */
  readonly authorizations: (string | undefined)[] = [];

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.authorizations.push(request.headers.authorization);
        this.bodies.push(Buffer.concat(chunks).toString());
        response.setHeader('content-type', 'application/json').end('{}');
      });
    });
  }

  static async listening(): Promise<Collector> {
    const collector = new Collector(createServer());
    await new Promise<void>((resolve) => collector.server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get spans(): CollectedSpan[] {
    return this.bodies.flatMap((body) =>
      (JSON.parse(body) as Export).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    );
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** An address without a listener. */
export async function deadAddress(): Promise<string> {
  const collector = await Collector.listening();
  const { url } = collector;
  await collector.close();
  return url;
}
