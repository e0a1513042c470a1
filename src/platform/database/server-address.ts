const DEFAULT_PORT = '5432';

/** Host and port of a server, or the folder of its socket, as they may be told to anybody: never a user or a password. */
export function serverOf(url: string): string {
  const { hostname, port, searchParams } = new URL(url);
  // What `pg` takes before the address itself.
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  if (host.startsWith('/')) return host;
  return `${host}:${searchParams.get('port') ?? (port || DEFAULT_PORT)}`;
}
