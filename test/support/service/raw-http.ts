import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AddressInfo, connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Listens on a free loopback port, for behaviour that only a real connection shows. A shared service listens only once. */
export async function listen(app: NestFastifyApplication): Promise<number> {
  const server = app.getHttpServer();
  if (!server.listening) await app.listen(0, '127.0.0.1');
  return (server.address() as AddressInfo).port;
}

const CHUNK = /^([0-9a-f]+)\r\n/i;

function joinChunks(text: string): string {
  const size = parseInt(CHUNK.exec(text)?.[1] ?? '0', 16);
  if (size === 0) return '';
  const start = text.indexOf('\r\n') + 2;
  return text.slice(start, start + size) + joinChunks(text.slice(start + size + 2));
}

function parseAnswer(bytes: string): RawAnswer {
  const end = bytes.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = bytes.slice(0, end).split('\r\n');
  const pairs = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  const headers: Record<string, string> = Object.fromEntries(pairs);
  const body = bytes.slice(end + 4);
  const text = headers['transfer-encoding'] === 'chunked' ? joinChunks(body) : body;
  return { status: Number(statusLine.split(' ')[1]), headers, text };
}

/** Sends the bytes unchanged and reads until the server closes the connection. Include `Connection: close`. */
export function sendRaw(port: number, bytes: string): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const finish = (): void => {
      const answer = Buffer.concat(chunks).toString();
      if (answer === '') reject(new Error('The server sent no response'));
      else resolve(parseAnswer(answer));
    };
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => {});
    socket.on('close', finish);
  });
}

/** A request without a body, with target and header lines unchanged. */
export function requestBytes(method: string, target: string, ...headers: string[]): string {
  return [`${method} ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n');
}
