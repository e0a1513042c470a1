import { ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@redis/client';

/** A free loopback port. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No port');
  return address.port;
}

/** Servers start only in a run that names them, so that the run with only Node stays short. */
const missing =
  process.env['TEST_REDIS_URL'] === undefined
    ? 'TEST_REDIS_URL is not set'
    : spawnSync('redis-server', ['--version']).status !== 0 && 'redis-server is not installed';

export const hasRedisServer = missing === false;

/** `describe` with TEST_REDIS_URL and an installed redis-server. Otherwise it skips and prints the reason. */
export function describeWithRedis(name: string, tests: () => void): void {
  if (missing !== false) process.stdout.write(`${missing}; skipped: ${name}\n`);
  (missing === false ? describe : describe.skip)(name, tests);
}

/** A private Redis that can be killed, frozen and restarted. It persists nothing. */
export class RedisServer {
  private process: ChildProcess | undefined;

  private constructor(
    private readonly port: number,
    private readonly folder: string,
  ) {
    // Ends the server also when the test run is aborted.
    process.once('exit', () => this.process?.kill('SIGKILL'));
  }

  /** Creates the object without starting the server. */
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

  /** Keeps connections open and answers nothing. */
  freeze(): void {
    this.process?.kill('SIGSTOP');
  }

  thaw(): void {
    this.process?.kill('SIGCONT');
  }

  /** Sends a command over a new connection. */
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
