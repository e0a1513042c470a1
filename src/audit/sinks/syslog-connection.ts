import { once } from 'node:events';
import { connect, TLSSocket } from 'node:tls';
import { AuditSinkError } from './audit-sink-error';

export interface SyslogServer {
  /** `tls://host:port`; the port is 6514 by default (RFC 5425 §4.1). */
  readonly url: string;
  readonly ca: string | undefined;
}

const DEFAULT_PORT = 6_514;
const DEADLINE_MS = 10_000;

/**
 * Sends frames in a separate connection. Syslog has no confirmation: they count as delivered when the server has
 * closed the connection after ours was closed, so it has read them. Errors: `AuditSinkError`.
 */
export async function sendFrames({ url, ca }: SyslogServer, frames: readonly string[]): Promise<void> {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({
    host,
    port: port === '' ? DEFAULT_PORT : Number(port),
    ...(ca !== undefined && { ca }),
    minVersion: 'TLSv1.2',
  });
  // An error after the deadline has no other listener.
  socket.on('error', () => undefined);
  try {
    await exchange(socket, frames, AbortSignal.timeout(DEADLINE_MS));
  } catch (error) {
    throw new AuditSinkError(reasonOf(error));
  } finally {
    socket.destroy();
  }
}

async function exchange(socket: TLSSocket, frames: readonly string[], signal: AbortSignal): Promise<void> {
  await once(socket, 'secureConnect', { signal });
  const closed = once(socket, 'close', { signal });
  socket.resume();
  socket.end(frames.join(''));
  await closed;
}

function reasonOf(error: unknown): string {
  const { name, code } = error as { name?: unknown; code?: unknown };
  if (name === 'AbortError') return 'timed_out';
  return typeof code === 'string' && /CERT|TLS|SSL|SIGNATURE|ALTNAME/.test(code) ? 'certificate' : 'unreachable';
}
