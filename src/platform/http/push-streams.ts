import { PassThrough, Readable } from 'node:stream';
import { platformErrors } from '../errors';

/** What a reader may leave unread, in bytes. A slower one is disconnected, and connects again. */
const MAX_UNREAD = 65_536;
const RETRY_AFTER_SECONDS = 5;
const LAST_READ_MS = 5_000;

export interface PushStreamLimits {
  /** In this process. */
  readonly maxStreams: number;
  /** In this process. Required, so that no owner can take every place. */
  readonly maxStreamsOfOwner: number;
  readonly maxMs: number;
}

/** One reader of server-sent events that are pushed. */
export class PushStream<T> {
  private readonly out = new PassThrough();

  /** @param until by `performance.now()` */
  constructor(
    readonly reader: T,
    private readonly until: number,
  ) {}

  get events(): Readable {
    return this.out;
  }

  get isOver(): boolean {
    return performance.now() >= this.until;
  }

  push(type: string, data: object): void {
    this.pushJson(type, JSON.stringify(data));
  }

  /** @param json without line breaks, as `JSON.stringify` makes it */
  pushJson(type: string, json: string): void {
    if (this.out.writableEnded) return;
    if (this.out.writableLength + this.out.readableLength > MAX_UNREAD) this.out.destroy();
    else this.out.write(`event: ${type}\ndata: ${json}\n\n`);
  }

  /** A reader that does not take the rest is disconnected, so that it keeps no place. */
  end(): void {
    this.out.end();
    setTimeout(() => this.out.destroy(), LAST_READ_MS).unref();
  }
}

/** The readers of one kind of server-sent events that are pushed to them. Bounded in number, time and memory. */
export class PushStreams<T extends { readonly ownerId: string }> implements Iterable<PushStream<T>> {
  private readonly streams = new Set<PushStream<T>>();
  private isStopping = false;

  constructor(private readonly limits: PushStreamLimits) {}

  get size(): number {
    return this.streams.size;
  }

  /** A copy, because readers come and go. */
  [Symbol.iterator](): Iterator<PushStream<T>> {
    return [...this.streams].values();
  }

  /** Errors: `unavailable` while the service stops, `rate_limited` for too many streams. */
  open(reader: T): PushStream<T> {
    this.requireRoom(reader);
    const stream = new PushStream(reader, performance.now() + this.limits.maxMs);
    this.streams.add(stream);
    stream.events.once('close', () => this.streams.delete(stream));
    return stream;
  }

  /** Call before the service stops: otherwise the streams would delay it. */
  stop(): void {
    this.isStopping = true;
    for (const stream of this) stream.end();
  }

  private requireRoom({ ownerId }: T): void {
    if (this.isStopping) throw platformErrors.unavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS });
    const { maxStreams, maxStreamsOfOwner } = this.limits;
    const ofOwner = [...this.streams].filter(({ reader }) => reader.ownerId === ownerId).length;
    if (this.streams.size < maxStreams && ofOwner < maxStreamsOfOwner) return;
    throw platformErrors.rateLimited({ retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}
