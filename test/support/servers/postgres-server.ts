import { ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { eventually } from '../service/eventually';
import { hasServer } from '../service/on-server';
import { freePort } from './redis-server';

const VERSIONS = '/usr/lib/postgresql';
/** The folder of `initdb` and `pg_ctl`. */
export const postgresPrograms = existsSync(VERSIONS)
  ? readdirSync(VERSIONS)
      .map((version) => join(VERSIONS, version, 'bin'))
      .find((folder) => existsSync(join(folder, 'initdb')))
  : undefined;

/** Servers start only in a run that names them, so that the run with only Node stays short. */
const missing = !hasServer
  ? 'TEST_DATABASE_URL is not set'
  : postgresPrograms === undefined && `PostgreSQL's programs are not below ${VERSIONS}`;

/** `describe` with TEST_DATABASE_URL and installed PostgreSQL programs. Otherwise it skips and prints the reason. */
export function describeWithPostgres(name: string, tests: () => void): void {
  if (missing !== false) process.stdout.write(`${missing}; skipped: ${name}\n`);
  (missing === false ? describe : describe.skip)(name, tests);
}

export interface Owner {
  readonly uid?: number;
  readonly gid?: number;
}

/** PostgreSQL does not run as root. */
export function owner(): Owner {
  if (process.getuid?.() !== 0) return {};
  const id = (option: string): number => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

function ownFolder({ uid, gid }: Owner): string {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-postgres-'));
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  return folder;
}

/** A private PostgreSQL that can be killed and restarted. Committed data survives a kill. */
export class PostgresServer {
  private process: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    private readonly port: number,
    private readonly owner: Owner,
  ) {}

  static async started(): Promise<PostgresServer> {
    const user = owner();
    const folder = ownFolder(user);
    const options = ['-D', join(folder, 'data'), '-U', 'postgres', '-A', 'trust', '-N', '-E', 'UTF8'];
    execFileSync(join(postgresPrograms ?? '', 'initdb'), options, { ...user, cwd: folder, stdio: 'ignore' });
    const server = new PostgresServer(folder, await freePort(), user);
    await server.start();
    return server;
  }

  /** Creates a standby. Commits wait for a synchronous one until it ends. */
  async standby({ isSynchronous = true } = {}): Promise<PostgresServer> {
    const folder = ownFolder(this.owner);
    const options = ['-D', join(folder, 'data'), '-d', this.url, '-R', '-X', 'stream', '-c', 'fast'];
    execFileSync(join(postgresPrograms ?? '', 'pg_basebackup'), options, {
      ...this.owner,
      cwd: folder,
      stdio: 'ignore',
    });
    const copy = new PostgresServer(folder, await freePort(), this.owner);
    await copy.start();
    if (!isSynchronous) return copy;
    await this.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await this.query('SELECT pg_reload_conf()');
    await eventually(
      () => this.query<{ sync_state: string }>('SELECT sync_state FROM pg_stat_replication'),
      ([state]) => state?.sync_state === 'sync',
      15,
    );
    return copy;
  }

  /** Promotes a standby to primary. */
  async promote(): Promise<void> {
    await this.query('SELECT pg_promote(true, 30)');
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  async start(): Promise<void> {
    const options = ['-D', join(this.folder, 'data'), '-p', String(this.port), '-h', '127.0.0.1', '-k', this.folder];
    const child = spawn(join(postgresPrograms ?? '', 'postgres'), options, {
      ...this.owner,
      cwd: this.folder,
      stdio: 'ignore',
    });
    this.process = child;
    // Ends the server also when the test run is aborted.
    process.once('exit', () => child.kill('SIGQUIT'));
    await eventually(() => this.query('SELECT 1').then(Boolean, () => false), Boolean, 30);
  }

  /** Ends the server immediately without notifying clients, like a crash. */
  async crash(): Promise<void> {
    const child = this.process;
    this.process = undefined;
    if (!child) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGQUIT');
    await ended;
  }

  /** Lets a standby lag: it gets nothing from here on. */
  async stopReceiving(): Promise<void> {
    await this.query(`ALTER SYSTEM SET primary_conninfo = ''`);
    await this.query('SELECT pg_reload_conf()');
    await eventually(
      () => this.query('SELECT pid FROM pg_stat_wal_receiver'),
      (receivers) => receivers.length === 0,
      15,
    );
  }

  /** Stops every process of the server. Its connections stay open, and nothing responds. */
  async freeze(): Promise<void> {
    for (const pid of this.processIds()) process.kill(pid, 'SIGSTOP');
  }

  private processIds(): number[] {
    const pid = this.process?.pid;
    if (pid === undefined) return [];
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    return [pid, ...children.map(Number)];
  }

  /** Ends a server that may be frozen. */
  private async kill(): Promise<void> {
    const child = this.process;
    if (!child) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    for (const pid of this.processIds()) process.kill(pid, 'SIGKILL');
    this.process = undefined;
    await ended;
  }

  async query<T>(sql: string): Promise<T[]> {
    const client = await this.connect();
    try {
      return (await client.query(sql)).rows as T[];
    } finally {
      await client.end();
    }
  }

  async connect(): Promise<Client> {
    const client = new Client({ connectionString: this.url, application_name: 'test' });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
