import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface VendorRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type VendorReply = (response: ServerResponse) => void;

/** A local HTTP server that acts as a provider. It records requests and sends the configured response. */
export class Vendor {
  readonly requests: VendorRequest[] = [];
  connections = 0;

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  /** @param reply validates the request as the real provider would, and responds */
  static async start(reply: (request: VendorRequest) => VendorReply): Promise<Vendor> {
    const started: { vendor?: Vendor } = {};
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { vendor } = started;
        if (!vendor) return;
        const seen = {
          method: request.method ?? '',
          url: new URL(request.url ?? '', vendor.origin),
          headers: request.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        };
        vendor.requests.push(seen);
        reply(seen)(response);
      });
    });
    server.on('connection', () => {
      if (started.vendor) started.vendor.connections++;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    started.vendor = new Vendor(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return started.vendor;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => {
        resolve();
      });
      this.server.closeAllConnections();
    });
  }
}

export const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}): VendorReply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

const hex = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const header = ({ headers }: VendorRequest, name: string): string => String(headers[name] ?? '');

/** Whether the signature (ACS3-HMAC-SHA256) is valid for Alibaba Cloud. Computed from the received request. */
export function isAliyunSigned(request: VendorRequest, secret: string): boolean {
  const form = /^ACS3-HMAC-SHA256 Credential=[^,]+,SignedHeaders=([^,]+),Signature=([0-9a-f]{64})$/;
  const [, names = '', signature] = form.exec(header(request, 'authorization')) ?? [];
  const lines = names.split(';').map((name) => `${name}:${header(request, name)}\n`);
  const query = request.url.search.slice(1).split('&').sort().join('&');
  const canonical = [request.method, request.url.pathname, query, lines.join(''), names, hex(request.body)].join('\n');
  const isWhole = [
    'host',
    'x-acs-action',
    'x-acs-content-sha256',
    'x-acs-date',
    'x-acs-signature-nonce',
    'x-acs-version',
  ];
  return (
    isWhole.every((name) => names.split(';').includes(name)) &&
    header(request, 'x-acs-content-sha256') === hex(request.body) &&
    signature === hmac(secret, `ACS3-HMAC-SHA256\n${hex(canonical)}`).toString('hex')
  );
}

/** Whether the signature (TC3-HMAC-SHA256) is valid for Tencent Cloud. Computed from the received request. */
export function isTencentSigned(request: VendorRequest, secret: string): boolean {
  const form =
    /^TC3-HMAC-SHA256 Credential=[^/]+\/((\d{4}-\d\d-\d\d)\/sms\/tc3_request), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;
  const [, scope = '', day = '', names = '', signature] = form.exec(header(request, 'authorization')) ?? [];
  const lines = names.split(';').map((name) => `${name}:${header(request, name).toLowerCase()}\n`);
  const canonical = [request.method, '/', '', lines.join(''), names, hex(request.body)].join('\n');
  const timestamp = header(request, 'x-tc-timestamp');
  const key = hmac(hmac(hmac(`TC3${secret}`, day), 'sms'), 'tc3_request');
  const toSign = ['TC3-HMAC-SHA256', timestamp, scope, hex(canonical)].join('\n');
  return Math.abs(Date.now() / 1_000 - Number(timestamp)) < 300 && signature === hmac(key, toSign).toString('hex');
}

/** Whether the HTTP hook is signed with the secret. */
export function isHookSigned(request: VendorRequest, secret: string): boolean {
  const signed = `${header(request, 'x-castellan-timestamp')}.${request.body}`;
  return header(request, 'x-castellan-signature') === `v1=${hmac(secret, signed).toString('hex')}`;
}
