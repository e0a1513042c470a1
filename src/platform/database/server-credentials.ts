import { DataSource } from 'typeorm';
import { poolOf } from './connection';

/** The addresses of the database, with what logs in there. */
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

/** Whether two sets of addresses differ in users and passwords alone. */
export function areSameServers(one: DatabaseUrls, other: DatabaseUrls): boolean {
  const [a, b] = [servers(one), servers(other)];
  return a.length === b.length && a.every((server, index) => server === b[index]);
}

/** New connections log in as the URL says; open ones stay as they are. */
export function useCredentials(dataSource: DataSource, url: string): void {
  Object.assign(dataSource.options, { url });
  const pool = poolOf(dataSource);
  // `pg` prefers the address to the single fields that TypeORM made of it.
  if (pool) Object.assign(pool.options, { connectionString: url });
}
