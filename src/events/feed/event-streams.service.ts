import { BeforeApplicationShutdown, Injectable, OnModuleInit } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { platformErrors, ProblemError } from '../../platform/errors';
import { Log } from '../../platform/logging';
import { MetricsService } from '../../platform/metrics';
import { feedEventDto } from './dto/event.dto';
import { EventCursorsService } from './event-cursors.service';
import { EventFeedService, FeedPart } from './event-feed.service';
import { EventReader, EventReadersService } from './event-readers.service';
import { EventTailService } from './event-tail.service';
import { EventFilter } from './feed-event';
import { FeedPosition } from './feed-position';

const HEARTBEAT_MS = 15_000;
/** As long as an access token. Readers reconnect by themselves. */
const MAX_MS = 900_000;
/** In this process. */
const MAX_STREAMS = 200;
const MAX_STREAMS_OF_A_READER = 10;
/** Events read at once. */
const PART = 100;
/** A reader that waits for rare events gets a heartbeat after so many parts without one. */
const MAX_EMPTY_PARTS = 20;
const RETRY_AFTER_SECONDS = 5;

interface EventStream {
  readonly request: FastifyRequest;
  readonly readerId: string;
  readonly filter: EventFilter;
  /** By `performance.now()`. */
  readonly until: number;
}

/** The feed as server-sent events. A stream reads on when its reader has taken what was sent, so it buffers little. */
@Injectable()
export class EventStreamsService implements OnModuleInit, BeforeApplicationShutdown {
  private readonly streams = new Set<EventStream>();
  private isStopping = false;

  constructor(
    private readonly feed: EventFeedService,
    private readonly cursors: EventCursorsService,
    private readonly readers: EventReadersService,
    private readonly tail: EventTailService,
    private readonly metrics: MetricsService,
    private readonly log: Log,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge('castellan_event_streams', 'Open streams of events of this instance', () => this.streams.size);
  }

  /** Otherwise the streams would delay the stop. */
  beforeApplicationShutdown(): void {
    this.isStopping = true;
    this.tail.wakeAll();
  }

  /**
   * @param from the place of the last event that the reader received; undefined: only later events.
   * Errors: those of `EventReadersService`, `unavailable` while the service stops, `rate_limited` for too many streams.
   */
  async open(request: FastifyRequest, filter: EventFilter, from: FeedPosition | undefined): Promise<Readable> {
    const reader = await this.readers.require(request);
    const start = from ?? (await this.feed.end());
    this.requireRoom(reader);
    const stream = { request, readerId: reader.id, filter, until: performance.now() + MAX_MS };
    this.streams.add(stream);
    const out = Readable.from(this.chunks(stream, start), { objectMode: false });
    const timer = setTimeout(() => out.destroy(), MAX_MS + HEARTBEAT_MS).unref();
    // `out` closes only when it has waited for the next event.
    const { socket } = request.raw;
    const leave = (): boolean => this.streams.delete(stream);
    socket.once('close', leave);
    out.once('close', () => {
      clearTimeout(timer);
      socket.off('close', leave);
      leave();
    });
    return out;
  }

  private requireRoom({ id }: EventReader): void {
    if (this.isStopping) throw platformErrors.unavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS });
    const ofReader = [...this.streams].filter(({ readerId }) => readerId === id).length;
    if (this.streams.size < MAX_STREAMS && ofReader < MAX_STREAMS_OF_A_READER) return;
    throw platformErrors.rateLimited({ retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  private async *chunks(stream: EventStream, start: FeedPosition): AsyncGenerator<string> {
    // Shows the reader at once that the stream is open, and from where to continue.
    yield this.heartbeat(start);
    let from = start;
    let emptyParts = 0;
    while (this.isOpen(stream)) {
      const read = await this.read(stream, from);
      if (!read) return;
      const { part, reader } = read;
      from = part.next;
      emptyParts = part.entries.length > 0 ? 0 : emptyParts + 1;
      if (emptyParts === 0) yield this.format(part, reader);
      else if (part.isEnd || emptyParts % MAX_EMPTY_PARTS === 0) yield this.heartbeat(from);
      if (part.isEnd && this.isOpen(stream)) await this.tail.wait(from, HEARTBEAT_MS);
    }
  }

  private isOpen({ until }: EventStream): boolean {
    return !this.isStopping && performance.now() < until;
  }

  /** Undefined ends the stream: a reader that lost its login or its permission finds out when it reconnects. */
  private async read(
    { request, filter }: EventStream,
    from: FeedPosition,
  ): Promise<{ part: FeedPart; reader: EventReader } | undefined> {
    try {
      const reader = await this.readers.require(request);
      return { part: await this.feed.read(from, { limit: PART, ...filter }), reader };
    } catch (error) {
      if (!(error instanceof ProblemError)) this.log.warn('A stream of events failed', { err: error });
      return undefined;
    }
  }

  private format({ entries }: FeedPart, reader: EventReader): string {
    return entries
      .map(({ event, next }) => {
        const data = JSON.stringify(feedEventDto(event, reader));
        return `id: ${this.cursors.write(next)}\nevent: ${event.type}\ndata: ${data}\n\n`;
      })
      .join('');
  }

  /** A comment, and an id without an event, which only sets the `Last-Event-ID`. */
  private heartbeat(from: FeedPosition): string {
    return `: heartbeat\nid: ${this.cursors.write(from)}\n\n`;
  }
}
