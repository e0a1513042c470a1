import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Fastify's `clientErrorHandler`: sends a minimal problem (RFC 9457) for input that never became a request, so that
 * request id, language and route are unknown.
 */
export function answerClientError({ code }: { code?: string }, socket: Socket): void {
  if (code === 'ECONNRESET' || socket.destroyed) return;
  const status = statuses[code ?? ''] ?? 400;
  const title = STATUS_CODES[status] ?? '';
  const body = JSON.stringify({ type: 'about:blank', title, status });
  const head = [
    `HTTP/1.1 ${status} ${title}`,
    'content-type: application/problem+json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    'connection: close',
  ];
  if (socket.writable) socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  else socket.destroy();
}
