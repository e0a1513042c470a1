import type { FastifyRequest } from 'fastify';
import { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import { Log } from '../../platform/logging';
import { MetricsService } from '../../platform/metrics';
import { EventCursorsService } from './event-cursors.service';
import { EventFeedService, FeedPart } from './event-feed.service';
import { EventReadersService } from './event-readers.service';
import { EventStreamsService } from './event-streams.service';
import { EventTailService } from './event-tail.service';
import { FEED_START, FeedPosition } from './feed-position';
import { fake } from '../../../test/support/service/fake';

const MAX_PER_READER = 10;

describe('EventStreamsService', () => {
  let read: () => FeedPart;
  let waits: number;
  let streams: EventStreamsService;

  const part = (isEnd: boolean): FeedPart => ({ entries: [], next: FEED_START, isEnd });
  const requestOn = (socket: EventEmitter): FastifyRequest => ({ raw: { socket } }) as unknown as FastifyRequest;
  const open = (socket = new EventEmitter()): Promise<Readable> =>
    streams.open(requestOn(socket), { types: [] }, FEED_START);

  beforeEach(() => {
    waits = 0;
    const wait = (): Promise<void> => {
      waits++;
      return new Promise(() => undefined);
    };
    streams = new EventStreamsService(
      fake<EventFeedService>({ read: () => new Promise((resolve) => setImmediate(resolve)).then(() => read()) }),
      fake<EventCursorsService>({ write: ({ position }: FeedPosition) => position }),
      fake<EventReadersService>({ require: () => Promise.resolve({ id: 'reader', seesNames: false }) }),
      fake<EventTailService>({ wait, wakeAll: () => undefined }),
      {} as MetricsService,
      {} as Log,
    );
  });

  it('sends a heartbeat after 20 parts without a wanted event', async () => {
    let parts = 0;
    read = () => ({ ...part(false), next: { ...FEED_START, position: String(++parts) } });
    const out = await open();
    const chunks = out[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const sent: string[] = [];
    for (let count = 0; count < 3; count++) sent.push(String((await chunks.next()).value));
    expect(sent).toEqual(['0', '20', '40'].map((id) => `: heartbeat\nid: ${id}\n\n`));
    out.destroy();
  });

  it('gives the place of a stream free when its connection closes', async () => {
    read = () => part(true);
    const sockets = Array.from({ length: MAX_PER_READER }, () => new EventEmitter());
    const opened = await Promise.all(sockets.map((socket) => open(socket)));
    for (const stream of opened) stream.resume();
    await expect(open()).rejects.toMatchObject({ code: 'rate_limited' });
    sockets[0]!.emit('close');
    await expect(open()).resolves.toBeDefined();
  });

  it('ends a stream that reads while the service stops', async () => {
    read = () => {
      streams.beforeApplicationShutdown();
      return part(true);
    };
    let text = '';
    for await (const chunk of await open()) text += String(chunk);
    expect([text.match(/heartbeat/g)?.length, waits]).toEqual([2, 0]);
  });
});
