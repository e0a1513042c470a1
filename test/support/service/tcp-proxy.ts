import { connect, createServer, Server, Socket } from 'node:net';
import { Transform } from 'node:stream';

/** When to cut the connection that carries the bytes: before the server receives them, or after its response. */
export type CutMoment = 'before' | 'after';

interface Trap {
  readonly bytes: string;
  readonly moment: CutMoment;
  readonly answer: string;
}

interface Pair {
  readonly client: Socket;
  readonly upstream: Socket;
  /** Suppresses all responses. The connection is cut when one contains these bytes. */
  fatal: string | undefined;
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A network link between an instance and a server that can be cut, frozen, slowed, or cut at certain bytes. */
export class TcpProxy {
  private readonly server: Server;
  private readonly pairs = new Set<Pair>();
  private readonly waiting: (() => void)[] = [];
  private isFrozen = false;
  private delayMs = 0;
  private trap: Trap | undefined;
  private sprung = 0;
  private taken = 0;
  private port = 0;

  private constructor(private target: URL) {
    this.server = createServer((client) => {
      this.join(client);
    });
  }

  /** @param target URL of the server with its port, such as `postgres://…` or `redis://…` */
  static async to(target: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(new URL(target));
    await proxy.open();
    return proxy;
  }

  /** The target's URL with the address of the proxy. */
  get url(): string {
    const url = new URL(this.target);
    url.host = `127.0.0.1:${this.port}`;
    return url.toString();
  }

  /** Accepts connections at the same port as before. */
  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.address() as { port: number }).port;
  }

  /** Cuts every connection and rejects new ones. */
  async shut(): Promise<void> {
    if (!this.server.listening) return;
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.thaw();
    for (const pair of this.pairs) this.cut(pair);
    await closed;
  }

  /** Connects new clients to another server. */
  leadTo(target: string): void {
    this.target = new URL(target);
  }

  /** Holds all data back and accepts new connections silently. */
  freeze(): void {
    this.isFrozen = true;
  }

  /** Delivers the held data. */
  thaw(): void {
    this.isFrozen = false;
    for (const goOn of this.waiting.splice(0)) goOn();
  }

  /** Delays data in both directions. */
  slowDown(milliseconds: number): void {
    this.delayMs = milliseconds;
  }

  /**
   * Resets the connection of the next client that sends these bytes, and no other.
   * @param answer bytes of the response that shows that the server has processed them. Other responses may come first.
   */
  cutOnce(bytes: string, moment: CutMoment, answer: string): void {
    this.sprung = 0;
    this.trap = { bytes, moment, answer };
  }

  /** Number of connections cut by `cutOnce` since the last read. */
  get cuts(): number {
    return this.sprung;
  }

  /** Number of connections opened so far. */
  get opened(): number {
    return this.taken;
  }

  private join(client: Socket): void {
    this.taken++;
    const upstream = connect(Number(this.target.port || '5432'), this.target.hostname);
    const pair: Pair = { client, upstream, fatal: undefined };
    this.pairs.add(pair);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => undefined);
      // The close of one end is delivered after the data that was sent before it.
      one.on('close', () => {
        void this.carry().then(() => {
          this.pairs.delete(pair);
          other.destroySoon();
        });
      });
    }
    client.pipe(this.gate((chunk) => this.fromClient(pair, chunk))).pipe(upstream);
    upstream.pipe(this.gate((chunk) => this.fromServer(pair, chunk))).pipe(client);
  }

  private gate(mayPass: (chunk: Buffer) => boolean): Transform {
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        void this.carry().then(() => {
          if (mayPass(chunk)) done(null, chunk);
          else done();
        });
      },
    });
  }

  private async carry(): Promise<void> {
    if (this.delayMs > 0) await pause(this.delayMs);
    if (this.isFrozen) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private fromClient(pair: Pair, chunk: Buffer): boolean {
    if (!this.trap || !chunk.includes(this.trap.bytes)) return true;
    const { moment, answer } = this.trap;
    this.trap = undefined;
    this.sprung++;
    if (moment === 'before') this.cut(pair);
    else pair.fatal = answer;
    return moment === 'after';
  }

  private fromServer(pair: Pair, chunk: Buffer): boolean {
    if (pair.fatal === undefined) return true;
    if (chunk.includes(pair.fatal)) this.cut(pair);
    return false;
  }

  private cut({ client, upstream }: Pair): void {
    client.resetAndDestroy();
    upstream.resetAndDestroy();
  }
}
