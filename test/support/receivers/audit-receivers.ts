import { createServer as createHttps, Server as HttpsServer } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTls, Server as TlsServer } from 'node:tls';

interface Certificate {
  readonly key: string;
  readonly cert: string;
}

export interface PostedBody {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const listening = async (server: HttpsServer | TlsServer): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

/** A collector over HTTPS on a loopback port. */
export class HttpsCollector {
  readonly posted: PostedBody[] = [];
  /** Status and body of the next responses. */
  answer: { readonly status: number; readonly body: string } = { status: 200, body: '{}' };

  private constructor(
    private readonly server: HttpsServer,
    readonly port: number,
  ) {}

  static async start(certificate: Certificate): Promise<HttpsCollector> {
    const server = createHttps(certificate);
    const collector = new HttpsCollector(server, await listening(server));
    server.on('request', (request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      request.on('end', () => {
        const { status, body } = collector.answer;
        if (status < 300) collector.posted.push({ headers: request.headers, text });
        response.writeHead(status, { 'content-type': 'application/json' }).end(body);
      });
    });
    return collector;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** A server of syslog over TLS on a loopback port, which reads frames with their lengths (RFC 5425). */
export class SyslogReceiver {
  /** Complete messages, without their lengths. */
  readonly messages: string[] = [];

  private constructor(
    private readonly server: TlsServer,
    readonly port: number,
  ) {}

  static async start(certificate: Certificate): Promise<SyslogReceiver> {
    const server = createTls(certificate);
    const receiver = new SyslogReceiver(server, await listening(server));
    server.on('tlsClientError', () => undefined);
    server.on('secureConnection', (socket) => {
      const chunks: Buffer[] = [];
      socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => undefined);
      socket.on('end', () => {
        receiver.read(Buffer.concat(chunks));
      });
    });
    return receiver;
  }

  private read(bytes: Buffer): void {
    for (let rest = bytes; rest.length > 0;) {
      const space = rest.indexOf(' ');
      const length = Number(rest.toString('latin1', 0, space));
      this.messages.push(rest.toString('utf8', space + 1, space + 1 + length));
      rest = rest.subarray(space + 1 + length);
    }
  }

  async stop(): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve));
  }
}
