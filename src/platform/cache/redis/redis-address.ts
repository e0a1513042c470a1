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

/**
 * Returns the address in a Sentinel's reply to GET-MASTER-ADDR-BY-NAME, with the account, database and TLS of `named`.
 * Throws if the Sentinel watches no master of that name.
 */
export function masterFrom(reply: unknown, named: RedisAddress): RedisAddress {
  const [host, port] = Array.isArray(reply) ? (reply as unknown[]) : [];
  if (typeof host !== 'string' || !/^\d+$/.test(String(port))) {
    throw new Error(`The Sentinel does not watch a master with the name ${named.host}`);
  }
  return { ...named, host, port: Number(port) };
}

/** Throws if a server's reply to ROLE is not that of a master. */
export function assertMaster(reply: unknown, { host, port }: RedisAddress): void {
  const [role] = Array.isArray(reply) ? (reply as unknown[]) : [];
  if (role !== 'master') throw new Error(`${host}:${port} is no longer the master`);
}
