import { ErrorReply } from '@redis/client';

/** Address and credentials of a Redis server. */
export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly username?: string;
  readonly password?: string;
  readonly database?: number;
}

/** @param url `redis://` or `rediss://`. */
export function addressOf(url: string): RedisAddress {
  const { hostname, port, protocol, username, password, pathname } = new URL(url);
  const database = Number(pathname.slice(1));
  return {
    // Sockets need IPv6 addresses without the brackets of a URL.
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? 6379 : Number(port),
    tls: protocol === 'rediss:',
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
    ...(Number.isInteger(database) && { database }),
  };
}

/**
 * Returns the node that a MOVED error names (Redis Cluster specification, "MOVED Redirection"); undefined for other
 * errors. A node that does not know its own name sends only the port, or `?` as the host.
 */
export function movedTo(asked: RedisAddress, error: unknown): RedisAddress | undefined {
  if (!(error instanceof ErrorReply)) return undefined;
  const [, host = '', port] = /^MOVED \d+ (\S*):(\d+)$/.exec(error.message) ?? [];
  if (port === undefined) return undefined;
  return { ...asked, host: host === '' || host === '?' ? asked.host : host, port: Number(port) };
}
