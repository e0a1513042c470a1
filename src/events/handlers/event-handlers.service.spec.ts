import 'reflect-metadata';
import { DiscoveryService } from '@nestjs/core';
import { RecordingLog } from '../../../test/support/service/recording-log';
import { StartupTasks } from '../../platform/database';
import { Job, Scheduler } from '../../platform/jobs';
import { EventFeedService, FeedPart } from '../feed/event-feed.service';
import { FEED_START, FeedPosition } from '../feed/feed-position';
import { EventConsumerRepository } from './event-consumer.repository';
import { EventHandlersService } from './event-handlers.service';
import { findEventHandlers } from './find-event-handlers';
import { OnIdentityEvent } from '../../host-api';
import { fake } from '../../../test/support/service/fake';

const END: FeedPosition = { ...FEED_START, position: '7', at: new Date() };
const STEP_MS = 5_000;

class Orders {
  attempts = 0;

  @OnIdentityEvent('user.deleted', { name: 'orders' })
  remove(): void {
    this.attempts += 1;
    throw new Error('staged');
  }
}

/** As long as no column of the database is. */
class OrdersOfCustomersWhoseAccountsWereDeletedByAdministratorsOrByThemselvesAndWhoseInvoicesMustBeKept {
  @OnIdentityEvent('user.deleted')
  anonymize(): void {}
}

describe('findEventHandlers', () => {
  it('asks for a name where that of class and method is too long', () => {
    const instance =
      new OrdersOfCustomersWhoseAccountsWereDeletedByAdministratorsOrByThemselvesAndWhoseInvoicesMustBeKept();
    const wrapper = {
      instance,
      metatype: instance.constructor,
      isTransient: false,
      isDependencyTreeStatic: () => true,
    };
    const discovery = fake<DiscoveryService>({ getProviders: () => [wrapper], getControllers: () => [] });
    expect(() => findEventHandlers(discovery)).toThrow(
      /^The name of \w+\.anonymize is longer than 100 characters: write @OnIdentityEvent\('user.deleted', \{ name: 'a-shorter-one' \}\)$/,
    );
  });
});

describe('EventHandlersService', () => {
  const event = {
    id: 'e-1',
    type: 'user.deleted',
    at: new Date(),
    actor: null,
    subject: null,
    data: { version: 1 },
    requestId: null,
  };
  let now: number;
  let orders: Orders;
  let moved: FeedPosition[];
  let holder: 'this' | 'other';
  let log: RecordingLog;
  let poll: () => Promise<void>;

  beforeEach(() => {
    now = 1_000_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    orders = new Orders();
    moved = [];
    holder = 'this';
    log = new RecordingLog();
    const wrapper = { instance: orders, metatype: Orders, isTransient: false, isDependencyTreeStatic: () => true };
    const discovery = fake<DiscoveryService>({ getProviders: () => [wrapper], getControllers: () => [] });
    const places = fake<EventConsumerRepository>({
      lease: async () => (holder === 'this' ? [{ name: 'orders', from: moved.at(-1) ?? FEED_START }] : []),
      moveTo: async (_instance: string, _name: string, to: FeedPosition) => holder === 'this' && moved.push(to) > 0,
    });
    const feed = fake<EventFeedService>({
      end: async () => END,
      read: async (from: FeedPosition): Promise<FeedPart> => ({
        entries: from === END ? [] : [{ event, next: END }],
        next: END,
        isEnd: true,
      }),
    });
    const running: Promise<void>[] = [];
    const jobs = fake<Scheduler>({
      every: (_seconds: number, job: Job) => {
        poll = async () => {
          await job.run(new AbortController().signal);
          await Promise.all(running.splice(0));
        };
      },
      runInBackground: (job: Job) => running.push(job.run(new AbortController().signal)),
    });
    new EventHandlersService(discovery, places, feed, new StartupTasks(), jobs, log).onModuleInit();
  });
  afterEach(() => jest.restoreAllMocks());

  async function pollFor(seconds: number): Promise<void> {
    for (const end = now + seconds * 1_000; now < end; now += STEP_MS) await poll();
  }

  it('repeats an event more and more slowly, and skips it after 20 attempts', async () => {
    await pollFor(60);
    expect(orders.attempts).toBeLessThan(8);
    expect(moved).toEqual([]);
    await pollFor(1_200);
    expect(orders.attempts).toBe(20);
    expect(moved).toEqual([END]);
    expect(log.at('error')).toEqual(['A handler of events failed for the last time: the event is skipped']);
  });

  it('runs nothing without the lease, and stops when another instance has it', async () => {
    holder = 'other';
    await pollFor(60);
    expect(orders.attempts).toBe(0);
    holder = 'this';
    await poll();
    const { attempts } = orders;
    expect(attempts).toBe(1);
    holder = 'other';
    now += 31_000;
    await pollFor(60);
    expect(orders.attempts).toBe(attempts);
  });
});
