import { EventEmitter2 } from '@nestjs/event-emitter';
import { RecordingLog } from '../../../test/support/recording-log';
import { Transactions } from '../database';
import { Job, Scheduler } from '../jobs';
import { defineEvent } from './domain-event';
import { DomainEvents } from './domain-events';

interface Order {
  readonly userId: string;
}

const placing = defineEvent<Order>('order.placing', 'in_transaction');
const placed = defineEvent<Order>('order.placed', 'in_background');
const confirmed = defineEvent<Order>('order.confirmed', 'awaited');
const order: Order = { userId: 'ann' };

describe('a domain event', () => {
  let isOpen: boolean;
  let afterCommit: (() => Promise<void> | void)[];
  let begun: Job[];
  let decorated: EventEmitter2;
  let log: RecordingLog;
  let events: DomainEvents;
  let heard: string[];

  beforeEach(() => {
    isOpen = true;
    afterCommit = [];
    begun = [];
    heard = [];
    decorated = new EventEmitter2();
    log = new RecordingLog();
    const transactions = {
      get isOpen() {
        return isOpen;
      },
      afterCommit: async (effect: () => Promise<void>) => void afterCommit.push(effect),
    } as unknown as Transactions;
    const jobs = { runInBackground: (job: Job) => begun.push(job) } as unknown as Scheduler;
    events = new DomainEvents(decorated, transactions, jobs, log);
  });

  const commit = async (): Promise<void> => {
    for (const effect of afterCommit) await effect();
  };
  const hear = (name: string) => (): void => void heard.push(name);
  const fail = (): never => {
    throw new Error('staged');
  };

  it('calls listeners in the transaction one after the other', async () => {
    events.on(placing, async () => {
      await Promise.resolve();
      heard.push('first');
    });
    events.on(placing, hear('second'));
    await events.publish(placing, order);
    expect(heard).toEqual(['first', 'second']);
    expect(afterCommit).toEqual([]);
  });

  it('fails with the first failing listener in the transaction', async () => {
    events.on(placing, fail);
    events.on(placing, hear('second'));
    await expect(events.publish(placing, order)).rejects.toThrow('staged');
    expect(heard).toEqual([]);
  });

  it('is rejected outside a transaction if listeners write in it', async () => {
    isOpen = false;
    await expect(events.publish(placing, order)).rejects.toThrow('outside a transaction');
  });

  it('starts background work after the commit, and not before', async () => {
    events.on(placed, hear('listener'));
    await events.publish(placed, order);
    expect(begun).toEqual([]);
    await commit();
    expect(begun.map(({ name }) => name)).toEqual(['listener to castellan.order.placed']);
    await begun[0]?.run(new AbortController().signal);
    expect(heard).toEqual(['listener']);
  });

  it('reaches decorated methods if awaited, and logs their failure as a warning', async () => {
    decorated.on('castellan.order.confirmed', hear('decorated'));
    events.on(confirmed, fail);
    await events.publish(confirmed, order);
    expect(heard).toEqual([]);
    await commit();
    expect(heard).toEqual(['decorated']);
    expect(log.lines.map(({ level, fields }) => [level, fields?.['user_id']])).toEqual([['warn', 'ann']]);
  });

  it('does not reach decorated methods in the transaction', async () => {
    decorated.on('castellan.order.placing', hear('decorated'));
    await events.publish(placing, order);
    expect(heard).toEqual([]);
  });
});
