import { DataSource } from 'typeorm';
import { poolOf } from './connection';

/** URLs of the database, including credentials. */
export interface DatabaseUrls {
  readonly url?: string;
  readonly directUrl?: string;
  readonly replicaUrls?: readonly string[];
}

function withoutCredentials(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return url.href;
}

const servers = ({ url, directUrl, replicaUrls = [] }: DatabaseUrls): (string | undefined)[] =>
  [url, directUrl, ...replicaUrls].map(withoutCredentials);

/** Whether the URLs differ only in users and passwords. */
export function areSameServers(one: DatabaseUrls, other: DatabaseUrls): boolean {
  const [a, b] = [servers(one), servers(other)];
  return a.length === b.length && a.every((server, index) => server === b[index]);
}

/** Uses the credentials of the URL for new connections; open connections stay. */
export function useCredentials(dataSource: DataSource, url: string): void {
  Object.assign(dataSource.options, { url });
  const pool = poolOf(dataSource);
  // `pg` prefers the connection string to the separate options that TypeORM derives from it.
  if (pool) Object.assign(pool.options, { connectionString: url });
}
