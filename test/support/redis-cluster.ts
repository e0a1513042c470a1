import { eventually } from './eventually';
import { freePort, RedisServer } from './redis-server';

const SLOTS = 16_384;
const MASTERS = 3;
const NODE_TIMEOUT_MS = 500;

/** Three masters that share the slots, and a replica of each, on the loopback. */
export class RedisCluster {
  private constructor(private readonly nodes: readonly RedisServer[]) {}

  static async started(): Promise<RedisCluster> {
    const nodes = await Promise.all(Array.from({ length: 2 * MASTERS }, startNode));
    const cluster = new RedisCluster(nodes);
    await cluster.shareSlots();
    await cluster.meet();
    await cluster.addReplicas();
    return cluster;
  }

  /** As `REDIS_URL` names them. */
  get urls(): string {
    return this.nodes.map(({ url }) => url).join(',');
  }

  /** The master of the key's slot, as a node sees it that lives. */
  async holderOf(key: string): Promise<RedisServer> {
    return this.nodeAt(await this.holdingPort(key));
  }

  /** A master that does not hold the key. */
  async strangerTo(key: string): Promise<RedisServer> {
    const holder = await this.holderOf(key);
    const stranger = this.masters.find((master) => master !== holder);
    if (!stranger) throw new Error('There is no other master');
    return stranger;
  }

  /** Gives the key's slot to another master; what lay in it is lost. @returns the new holder. */
  async moveSlotOf(key: string): Promise<RedisServer> {
    const slot = await this.slotOf(key);
    const [from, to] = [await this.holderOf(key), await this.strangerTo(key)];
    await from.ask('FLUSHALL');
    const id = String(await to.ask('CLUSTER', 'MYID'));
    for (const master of [to, from]) await master.ask('CLUSTER', 'SETSLOT', slot, 'NODE', id);
    await this.agreed(async () => (await this.holderOf(key)) === to);
    return to;
  }

  /** Kills the master of the key's slot and waits for its replica to take over. */
  async killHolderOf(key: string): Promise<void> {
    const holder = await this.holderOf(key);
    await holder.kill();
    await this.agreed(async () => (await this.holdingPort(key)) !== portOf(holder));
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

  private async holdingPort(key: string): Promise<number> {
    const slot = Number(await this.slotOf(key));
    const ranges = (await this.livingNode().ask('CLUSTER', 'SLOTS')) as [number, number, [string, number]][];
    const range = ranges.find(([first, last]) => slot >= first && slot <= last);
    if (!range) throw new Error(`Nobody holds the slot ${slot}`);
    return range[2][1];
  }

  private livingNode(): RedisServer {
    const node = this.nodes.find(({ isRunning }) => isRunning);
    if (!node) throw new Error('No node lives');
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
    await this.agreed(() => this.everyNodeSees(/cluster_known_nodes:6\b/));
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

async function startNode(): Promise<RedisServer> {
  const node = await RedisServer.create();
  const bus = ['--cluster-enabled', 'yes', '--cluster-port', String(await freePort())];
  // The replica that is not known to be fresh takes over all the same.
  await node.start(
    ...bus,
    '--cluster-node-timeout',
    String(NODE_TIMEOUT_MS),
    '--cluster-replica-validity-factor',
    '0',
    '--repl-diskless-sync-delay',
    '0',
  );
  return node;
}
