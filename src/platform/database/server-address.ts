const DEFAULT_PORT = '5432';

/** Returns host and port of a server, or the folder of its socket. Never contains a user or a password. */
export function serverOf(url: string): string {
  const { hostname, port, searchParams } = new URL(url);
  // `pg` prefers these parameters to the host and port of the URL.
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  if (host.startsWith('/')) return host;
  return `${host}:${searchParams.get('port') ?? (port || DEFAULT_PORT)}`;
}
