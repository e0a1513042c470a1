import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeRealm } from '../lib/keycloak-realm.mjs';
import { runScript } from '../lib/servers.mjs';
import { castellanServer } from '../targets.mjs';

/** Seconds that the command takes to import a Keycloak realm of this many users into a fresh database. */
export async function importUsers({ databases, redisUrl, users }) {
  const server = await castellanServer({ databaseUrl: await databases.create(), redisUrl, name: 'import' });
  const folder = await mkdtemp(join(tmpdir(), 'castellan-bench-'));
  try {
    const file = join(folder, 'realm.json');
    await writeRealm(file, users);
    const from = performance.now();
    await runScript('dist/cli.js', ['import', '--from', 'keycloak', file, '--roles'], server.env);
    return { users, seconds: (performance.now() - from) / 1_000 };
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
