import { ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@redis/client';

/** A port of the loopback that nobody listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No port');
  return address.port;
}

/** The run on nothing but Node stays short: servers are for the run that names them. */
const missing =
  process.env['TEST_REDIS_URL'] === undefined
    ? 'TEST_REDIS_URL is not set'
    : spawnSync('redis-server', ['--version']).status !== 0 && 'redis-server is not installed';

/** `describe` where TEST_REDIS_URL is set and redis-server installed; elsewhere it skips and says why. */
export function describeWithRedis(name: string, tests: () => void): void {
  if (missing !== false) process.stdout.write(`${missing}; skipped: ${name}\n`);
  (missing === false ? describe : describe.skip)(name, tests);
}

/** A Redis of the test's own, to be killed, frozen and started again. It keeps nothing when it ends. */
export class RedisServer {
  private process: ChildProcess | undefined;

  private constructor(
    private readonly port: number,
    private readonly folder: string,
  ) {}

  /** Not started yet. */
  static async create(): Promise<RedisServer> {
    return new RedisServer(await freePort(), await mkdtemp(join(tmpdir(), 'castellan-redis-')));
  }

  static async started(): Promise<RedisServer> {
    const server = await RedisServer.create();
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  get isRunning(): boolean {
    return this.process !== undefined;
  }

  async start(...options: string[]): Promise<void> {
    if (this.process) return;
    const child = spawn(
      'redis-server',
      [
        '--port',
        String(this.port),
        '--bind',
        '127.0.0.1',
        '--save',
        '',
        '--appendonly',
        'no',
        '--dir',
        this.folder,
        ...options,
      ],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    this.process = child;
    // A test run that is cut short leaves no server behind.
    process.once('exit', () => child.kill('SIGKILL'));
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', () => {
        reject(new Error('redis-server ended'));
      });
      child.stdout.on('data', (text: Buffer) => {
        if (text.includes('Ready to accept connections')) resolve();
      });
    });
  }

  async kill(): Promise<void> {
    const child = this.process;
    this.process = undefined;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  /** It keeps its connections and answers nothing. */
  freeze(): void {
    this.process?.kill('SIGSTOP');
  }

  thaw(): void {
    this.process?.kill('SIGCONT');
  }

  /** Asks it something over a connection of its own. */
  async ask(...command: string[]): Promise<unknown> {
    const client = createClient({ url: this.url });
    await client.connect();
    try {
      return await client.sendCommand(command);
    } finally {
      await client.disconnect();
    }
  }

  async remove(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}
