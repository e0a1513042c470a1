import { eventually } from '../service/eventually';
import { freePort, RedisServer } from './redis-server';

const SLOTS = 16_384;
const MASTERS = 3;
/** Long enough that a busy machine causes no failover. */
const NODE_TIMEOUT_MS = 5_000;
const START_ATTEMPTS = 3;

/** Three masters that share the slots, each with a replica, on loopback. */
export class RedisCluster {
  private constructor(private readonly nodes: readonly RedisServer[]) {}

  static async started(): Promise<RedisCluster> {
    const nodes = await Promise.all(Array.from({ length: 2 * MASTERS }, startNode));
    const cluster = new RedisCluster(nodes);
    try {
      await cluster.shareSlots();
      await cluster.meet();
      await cluster.addReplicas();
      return cluster;
    } catch (error) {
      await cluster.remove();
      throw error;
    }
  }

  /** Masters and replicas. */
  get nodeUrls(): readonly string[] {
    return this.nodes.map(({ url }) => url);
  }

  /** In the form of `REDIS_URL`. */
  get urls(): string {
    return this.nodeUrls.join(',');
  }

  /** The master of the key's slot, as a running node reports it. */
  async holderOf(key: string): Promise<RedisServer> {
    return this.nodeAt(await holdingPort(await this.slotOf(key), this.livingNode()));
  }

  /** A master without the key. */
  async strangerTo(key: string): Promise<RedisServer> {
    const holder = portOf(await this.holderOf(key));
    const stranger = (await rangesSeenBy(this.livingNode())).find(({ port }) => port !== holder);
    if (!stranger) throw new Error('There is no other master');
    return this.nodeAt(stranger.port);
  }

  /** Moves the key's slot to another master without its data. @returns the new master */
  async moveSlotOf(key: string): Promise<RedisServer> {
    const slot = await this.slotOf(key);
    const [from, to] = [await this.holderOf(key), await this.strangerTo(key)];
    await from.ask('FLUSHALL');
    const [source, target] = [String(await from.ask('CLUSTER', 'MYID')), String(await to.ask('CLUSTER', 'MYID'))];
    await to.ask('CLUSTER', 'SETSLOT', slot, 'IMPORTING', source);
    await from.ask('CLUSTER', 'SETSLOT', slot, 'MIGRATING', target);
    for (const master of [to, from]) await master.ask('CLUSTER', 'SETSLOT', slot, 'NODE', target);
    await this.agreedOn(slot, (port) => port === portOf(to));
    return to;
  }

  /** Kills the master of the key's slot and waits for the failover to its replica. */
  async killHolderOf(key: string): Promise<void> {
    const [slot, holder] = [await this.slotOf(key), await this.holderOf(key)];
    await holder.kill();
    await this.agreedOn(slot, (port) => port !== portOf(holder));
  }

  async remove(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.remove()));
  }

  private get masters(): readonly RedisServer[] {
    return this.nodes.slice(0, MASTERS);
  }

  private async slotOf(key: string): Promise<string> {
    return String(await this.livingNode().ask('CLUSTER', 'KEYSLOT', key));
  }

  /** Waits until every running node reports an accepted master for the slot. */
  private async agreedOn(slot: string, isIt: (port: number) => boolean): Promise<void> {
    const living = this.nodes.filter(({ isRunning }) => isRunning);
    await this.agreed(async () => (await Promise.all(living.map((node) => holdingPort(slot, node)))).every(isIt));
  }

  private livingNode(): RedisServer {
    const node = this.nodes.find(({ isRunning }) => isRunning);
    if (!node) throw new Error('No node runs');
    return node;
  }

  private nodeAt(port: number): RedisServer {
    const node = this.nodes.find((each) => portOf(each) === port);
    if (!node) throw new Error(`No node listens on ${port}`);
    return node;
  }

  private async shareSlots(): Promise<void> {
    const each = Math.ceil(SLOTS / MASTERS);
    for (const [index, master] of this.masters.entries()) {
      const last = Math.min((index + 1) * each, SLOTS) - 1;
      await master.ask('CLUSTER', 'ADDSLOTSRANGE', String(index * each), String(last));
      await master.ask('CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1));
    }
  }

  private async meet(): Promise<void> {
    const [first, ...others] = this.nodes;
    const info = String(await first?.ask('CLUSTER', 'NODES'));
    const busPort = /@(\d+)/.exec(info)?.[1] ?? '';
    for (const node of others) {
      await node.ask('CLUSTER', 'MEET', '127.0.0.1', new URL(first?.url ?? '').port, busPort);
    }
    await this.agreed(() => this.everyNodeSees(new RegExp(`cluster_known_nodes:${this.nodes.length}\\b`)));
  }

  private async addReplicas(): Promise<void> {
    for (const [index, master] of this.masters.entries()) {
      const id = String(await master.ask('CLUSTER', 'MYID'));
      await this.nodes[MASTERS + index]?.ask('CLUSTER', 'REPLICATE', id);
    }
    await this.agreed(() => this.everyNodeSees(/cluster_state:ok/));
    await this.agreed(async () => {
      const links = await Promise.all(this.nodes.slice(MASTERS).map((node) => node.ask('INFO', 'replication')));
      return links.every((link) => String(link).includes('master_link_status:up'));
    });
  }

  private async everyNodeSees(state: RegExp): Promise<boolean> {
    const seen = await Promise.all(this.nodes.map((node) => node.ask('CLUSTER', 'INFO')));
    return seen.every((info) => state.test(String(info)));
  }

  private async agreed(look: () => Promise<boolean>): Promise<void> {
    await eventually(look, Boolean, 30);
  }
}

const portOf = ({ url }: RedisServer): number => Number(new URL(url).port);

interface SlotRange {
  readonly first: number;
  readonly last: number;
  /** Port of the master. */
  readonly port: number;
}

async function rangesSeenBy(node: RedisServer): Promise<SlotRange[]> {
  const ranges = (await node.ask('CLUSTER', 'SLOTS')) as [number, number, [string, number]][];
  return ranges.map(([first, last, [, port]]) => ({ first, last, port }));
}

async function holdingPort(slot: string, seenBy: RedisServer): Promise<number> {
  const range = (await rangesSeenBy(seenBy)).find(({ first, last }) => Number(slot) >= first && Number(slot) <= last);
  if (!range) throw new Error(`No node serves the slot ${slot}`);
  return range.port;
}

/** Another process may take a port between its choice and its use. */
async function startNode(): Promise<RedisServer> {
  for (let attempt = 1; ; attempt++) {
    const node = await RedisServer.create();
    try {
      await startAsNode(node);
      return node;
    } catch (error) {
      await node.remove();
      if (attempt === START_ATTEMPTS) throw error;
    }
  }
}

async function startAsNode(node: RedisServer): Promise<void> {
  const bus = ['--cluster-enabled', 'yes', '--cluster-port', String(await freePort())];
  // Lets a replica take over even when its data may be old.
  await node.start(
    ...bus,
    '--cluster-node-timeout',
    String(NODE_TIMEOUT_MS),
    '--cluster-replica-validity-factor',
    '0',
    '--repl-diskless-sync-delay',
    '0',
  );
}
