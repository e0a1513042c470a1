import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/service/eventually';
import { call } from '../support/service/http-caller';
import { describeWithPostgres, PostgresServer } from '../support/servers/postgres-server';
import { Build, buildService, endServiceProcesses, ServiceProcess } from '../support/service/service-process';
import { createProcessDatabase, ProcessDatabase } from '../support/service/test-database';

jest.setTimeout(180_000);

const PASSWORD = 'correct horse battery staple';
const key = (kid: string): string => `${kid}:${randomBytes(32).toString('base64url')}`;

let build: Build;
let secrets: string;

beforeAll(() => {
  build = buildService();
  secrets = mkdtempSync(join(tmpdir(), 'castellan-secrets-'));
});
afterEach(endServiceProcesses);
afterAll(() => {
  build.remove();
  rmSync(secrets, { recursive: true, force: true });
});

const write = (name: string, text: string): string => {
  const path = join(secrets, name);
  writeFileSync(path, `${text}\n`, { mode: 0o600 });
  return path;
};

/** Sends SIGHUP and waits for a new log line with the message. */
async function reload(service: ServiceProcess, message: string): Promise<string> {
  const before = service.lines.length;
  service.signal('SIGHUP');
  const lines = await eventually(
    async () => service.lines.slice(before).filter((line) => line.includes(message)),
    (found) => found.length > 0,
    20,
  );
  return lines.join('\n');
}

async function logIn(url: string): Promise<string> {
  const body = { type: 'password', username: 'admin', password: PASSWORD };
  const { status, cookie } = await call(url, 'POST', '/api/auth/login', { body });
  expect(status).toBe(200);
  return cookie;
}

describe('encryption keys in a file', () => {
  const [first, second] = [key('first'), key('second')];
  let database: ProcessDatabase;

  beforeAll(async () => {
    database = await createProcessDatabase(build.freshFolder());
  });
  afterAll(() => database.drop());

  const start = (): ServiceProcess =>
    ServiceProcess.start(build, {
      ...database.environment,
      ADMIN_PASSWORD_FILE: write('password', PASSWORD),
      ENCRYPTION_KEYS_FILE: join(secrets, 'keys'),
    });

  it('change on SIGHUP without a restart, and no session ends', async () => {
    write('keys', first);
    const service = start();
    const url = await service.ready;
    const cookie = await logIn(url);
    write('keys', `${second},${first}`);
    expect(await reload(service, 'Replaced the encryption keys')).toContain('"kids":["second","first"]');
    write('keys', second);
    await reload(service, 'Replaced the encryption keys');
    expect((await call(url, 'GET', '/api/auth/me', { cookie })).status).toBe(200);
    expect((await call(url, 'POST', '/api/auth/refresh', { cookie })).status).toBe(200);
    await logIn(url);
    expect(service.lines.join('\n')).not.toContain(second.slice(7));
    await service.end('SIGTERM');
    const kids = await database.query<{ sealed: string }>('SELECT private_key AS sealed FROM signing_key');
    expect(kids.every(({ sealed }) => sealed.startsWith('enc:v1:second:'))).toBe(true);
    const next = start();
    await logIn(await next.ready);
  });

  it.each([
    ['an invalid key ring', () => 'rubbish', 'ENCRYPTION_KEYS is (value hidden)'],
    ['a previous key id with another key', () => key('second'), 'names another key now'],
  ])('stay unchanged when the file contains %s', async (_what, text, reason) => {
    write('keys', second);
    const service = start();
    const url = await service.ready;
    const cookie = await logIn(url);
    write('keys', text());
    expect(await reload(service, 'Could not use the secret files')).toContain(reason);
    expect((await call(url, 'POST', '/api/auth/refresh', { cookie })).status).toBe(200);
    await logIn(url);
  });
});

describeWithPostgres('database password in a file', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await PostgresServer.started();
    await server.query(`CREATE ROLE castellan LOGIN PASSWORD 'one'`);
    await server.query('CREATE DATABASE castellan OWNER castellan');
    const [row] = await server.query<{ hba_file: string }>('SHOW hba_file');
    writeFileSync(row!.hba_file, ['castellan castellan', 'all all'].map(accessLine).join(''));
    await server.query('SELECT pg_reload_conf()');
  });
  afterAll(() => server.remove());

  const accessLine = (who: string, index: number): string =>
    `host ${who} 127.0.0.1/32 ${index === 0 ? 'scram-sha-256' : 'trust'}\n`;
  const urlWith = (password: string, host = '127.0.0.1'): string =>
    `postgres://castellan:${password}@${host}:${new URL(server.url).port}/castellan`;

  it('is used by new connections after SIGHUP, but another server is not', async () => {
    const path = write('database', urlWith('one'));
    const service = ServiceProcess.start(build, {
      DATABASE_URL_FILE: path,
      ENCRYPTION_KEYS: key('k1'),
      ADMIN_PASSWORD: PASSWORD,
      DATA_DIR: build.freshFolder(),
    });
    const url = await service.ready;
    await logIn(url);
    await server.query(`ALTER ROLE castellan PASSWORD 'two'`);
    write('database', urlWith('two'));
    await reload(service, 'New database connections use the reloaded credentials');
    await server.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'castellan'`);
    await eventually(
      () => call(url, 'GET', '/health/ready'),
      ({ status }) => status === 200,
      10,
    );
    await logIn(url);
    write('database', urlWith('two', 'elsewhere.example'));
    await reload(service, 'restart to use it');
    await logIn(url);
    expect(service.lines.join('\n')).not.toContain(':two@');
  });
});
