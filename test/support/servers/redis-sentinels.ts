import { ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@redis/client';
import { eventually } from '../service/eventually';
import { freePort, RedisServer } from './redis-server';

const SENTINELS = 3;
const QUORUM = 2;
const DOWN_AFTER_MS = 1_000;
const FAILOVER_TIMEOUT_MS = 5_000;

/** The name of the master in the configuration of the Sentinels. */
export const MASTER_NAME = 'test-master';

export interface Passwords {
  readonly ofRedis: string;
  readonly ofSentinels: string;
}

/** A master, its replica, and three Sentinels that watch them, on loopback. */
export class RedisSentinels {
  private constructor(
    private readonly servers: readonly RedisServer[],
    private readonly sentinels: readonly Sentinel[],
    private readonly passwords: Passwords | undefined,
  ) {}

  static async started(passwords?: Passwords): Promise<RedisSentinels> {
    const [master, replica] = [await RedisServer.create(), await RedisServer.create()];
    const account = passwords ? ['--requirepass', passwords.ofRedis, '--masterauth', passwords.ofRedis] : [];
    await master.start(...account);
    await replica.start(...account, '--replicaof', '127.0.0.1', portOf(master), '--repl-diskless-sync-delay', '0');
    const sentinels = await Promise.all(
      Array.from({ length: SENTINELS }, () => Sentinel.started(portOf(master), passwords)),
    );
    const whole = new RedisSentinels([master, replica], sentinels, passwords);
    try {
      await whole.haveMet();
      return whole;
    } catch (error) {
      await whole.remove();
      throw error;
    }
  }

  /** In the form of `REDIS_URL`. */
  get masterUrl(): string {
    return `redis://${accountOf(this.passwords?.ofRedis)}${MASTER_NAME}`;
  }

  get sentinelUrls(): readonly string[] {
    return this.sentinels.map(({ url }) => url);
  }

  /** The servers with the role of a master, of those that run. */
  async masters(): Promise<readonly RedisServer[]> {
    const running = this.servers.filter(({ isRunning }) => isRunning);
    // A change of its role closes the connections of a server's clients.
    const roles = await Promise.all(running.map((server) => this.ask(server, 'ROLE').catch(() => undefined)));
    return running.filter((_, place) => (roles[place] as string[] | undefined)?.[0] === 'master');
  }

  /** Sends a command to a server, with its password. */
  async ask(server: RedisServer, ...command: string[]): Promise<unknown> {
    return askAt(`redis://${accountOf(this.passwords?.ofRedis)}127.0.0.1:${portOf(server)}`, ...command);
  }

  /** Makes a Sentinel name the replica as a master, like one that has not learnt of a failover. Returns its name. */
  async mistakeReplicaForMaster(): Promise<string> {
    const [, replica] = this.servers;
    if (!replica) throw new Error('There is no replica');
    await askAt(this.sentinelUrls[0] ?? '', 'SENTINEL', 'MONITOR', 'mistaken', '127.0.0.1', portOf(replica), '2');
    return 'mistaken';
  }

  /** Stops one Sentinel; the others still are a majority. */
  async killFirstSentinel(): Promise<void> {
    await this.sentinels[0]?.kill();
  }

  /** Kills the master and waits until its replica has the role. Returns the former master. */
  async killMaster(): Promise<RedisServer> {
    const [master] = await this.masters();
    if (!master) throw new Error('There is no master');
    await master.kill();
    await eventually(
      () => this.masters(),
      (masters) => masters.length === 1,
      30,
    );
    return master;
  }

  async remove(): Promise<void> {
    await Promise.all(this.sentinels.map((sentinel) => sentinel.remove()));
    await Promise.all(this.servers.map((server) => server.remove()));
  }

  /** Every Sentinel knows the replica and the other Sentinels. */
  private async haveMet(): Promise<void> {
    const known = async ({ url }: Sentinel): Promise<string> => {
      const pairs = (await askAt(url, 'SENTINEL', 'MASTER', MASTER_NAME)) as string[];
      const valueOf = (name: string): string => pairs[pairs.indexOf(name) + 1] ?? '';
      return `${valueOf('num-slaves')} ${valueOf('num-other-sentinels')} ${valueOf('flags')}`;
    };
    await eventually(
      () => Promise.all(this.sentinels.map(known)),
      (all) => all.every((each) => each === `1 ${SENTINELS - 1} master`),
      30,
    );
  }
}

class Sentinel {
  private constructor(
    readonly url: string,
    private readonly process: ChildProcess,
    private readonly folder: string,
  ) {}

  static async started(masterPort: string, passwords: Passwords | undefined): Promise<Sentinel> {
    const port = await freePort();
    const folder = await mkdtemp(join(tmpdir(), 'castellan-sentinel-'));
    const file = join(folder, 'sentinel.conf');
    await writeFile(file, `${configuration(port, masterPort, passwords).join('\n')}\n`);
    const child = spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore', cwd: folder });
    // Ends the server also when the test run is aborted.
    process.once('exit', () => child.kill('SIGKILL'));
    const url = `redis://${accountOf(passwords?.ofSentinels)}127.0.0.1:${port}`;
    const sentinel = new Sentinel(url, child, folder);
    await eventually(() => askAt(url, 'PING').then(Boolean, () => false), Boolean, 15);
    return sentinel;
  }

  async kill(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.kill('SIGKILL');
    await ended;
  }

  async remove(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}

const configuration = (port: number, masterPort: string, passwords: Passwords | undefined): string[] => [
  `port ${port}`,
  'bind 127.0.0.1',
  `sentinel monitor ${MASTER_NAME} 127.0.0.1 ${masterPort} ${QUORUM}`,
  `sentinel down-after-milliseconds ${MASTER_NAME} ${DOWN_AFTER_MS}`,
  `sentinel failover-timeout ${MASTER_NAME} ${FAILOVER_TIMEOUT_MS}`,
  ...(passwords
    ? [
        `sentinel auth-pass ${MASTER_NAME} ${passwords.ofRedis}`,
        `requirepass ${passwords.ofSentinels}`,
        `sentinel sentinel-pass ${passwords.ofSentinels}`,
      ]
    : []),
];

const portOf = ({ url }: RedisServer): string => new URL(url).port;

const accountOf = (password: string | undefined): string => (password === undefined ? '' : `:${password}@`);

async function askAt(url: string, ...command: string[]): Promise<unknown> {
  const client = createClient({ url, socket: { reconnectStrategy: false } });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await client.sendCommand(command);
  } finally {
    // The server may have closed the connection, as one that is being killed does.
    if (client.isOpen) await client.disconnect();
  }
}
