import { EventEmitter2, EventEmitterReadinessWatcher } from '@nestjs/event-emitter';
import { RecordingLog } from '../../../../test/support/service/recording-log';
import { Transactions } from '../../database';
import { Job, Scheduler } from '../scheduler';
import { defineEvent } from './domain-event';
import { DomainEvents } from './domain-events';
import { fake } from '../../../../test/support/service/fake';

interface Order {
  readonly userId: string;
}

const placing = defineEvent<Order>('order.placing', 'in_transaction');
const placed = defineEvent<Order>('order.placed', 'in_background');
const confirmed = defineEvent<Order>('order.confirmed', 'awaited');
const order: Order = { userId: 'ann' };

describe('DomainEvents', () => {
  let isOpen: boolean;
  let afterCommit: (() => Promise<void> | void)[];
  let begun: Job[];
  let decorated: EventEmitter2;
  let log: RecordingLog;
  let events: DomainEvents;
  let calls: string[];
  let setReady: () => void;

  beforeEach(() => {
    isOpen = true;
    afterCommit = [];
    begun = [];
    calls = [];
    decorated = new EventEmitter2();
    log = new RecordingLog();
    const transactions = fake<Transactions>({
      get isOpen() {
        return isOpen;
      },
      afterCommit: async (effect: () => Promise<void>) => void afterCommit.push(effect),
    });
    const jobs = fake<Scheduler>({ runInBackground: (job: Job) => begun.push(job) });
    const watcher = new EventEmitterReadinessWatcher();
    setReady = () => {
      watcher.setReady();
    };
    events = new DomainEvents(decorated, transactions, jobs, log, watcher);
  });

  const commit = async (): Promise<void> => {
    for (const effect of afterCommit) await effect();
  };
  const record = (name: string) => (): void => void calls.push(name);
  const fail = (): never => {
    throw new Error('staged');
  };

  it('calls listeners in the transaction one after the other', async () => {
    events.on(placing, async () => {
      await Promise.resolve();
      calls.push('first');
    });
    events.on(placing, record('second'));
    await events.publish(placing, order);
    expect(calls).toEqual(['first', 'second']);
    expect(afterCommit).toEqual([]);
  });

  it('fails with the first failing listener in the transaction', async () => {
    events.on(placing, fail);
    events.on(placing, record('second'));
    await expect(events.publish(placing, order)).rejects.toThrow('staged');
    expect(calls).toEqual([]);
  });

  it('rejects a transactional event outside a transaction', async () => {
    isOpen = false;
    await expect(events.publish(placing, order)).rejects.toThrow('outside a transaction');
  });

  it('starts background listeners after the commit', async () => {
    events.on(placed, record('listener'));
    await events.publish(placed, order);
    expect(begun).toEqual([]);
    await commit();
    expect(begun.map(({ name }) => name)).toEqual(['listener to castellan.order.placed']);
    await begun[0]?.run(new AbortController().signal);
    expect(calls).toEqual(['listener']);
  });

  it('calls decorated methods for awaited events and logs failures as warnings', async () => {
    decorated.on('castellan.order.confirmed', record('decorated'));
    events.on(confirmed, fail);
    setReady();
    await Promise.resolve();
    await events.publish(confirmed, order);
    expect(calls).toEqual([]);
    await commit();
    expect(calls).toEqual(['decorated']);
    expect(log.lines.map(({ level, fields }) => [level, fields?.['user_id']])).toEqual([['warn', 'ann']]);
  });

  it('calls decorated methods for what was published before they were registered, once they are', async () => {
    await events.publish(confirmed, order);
    await commit();
    decorated.on('castellan.order.confirmed', record('decorated'));
    expect(begun).toEqual([]);
    setReady();
    await Promise.resolve();
    expect(begun.map(({ name }) => name)).toEqual(['decorated listeners to castellan.order.confirmed']);
    await begun[0]?.run(new AbortController().signal);
    expect(calls).toEqual(['decorated']);
  });

  it('does not call decorated methods for transactional events', async () => {
    decorated.on('castellan.order.placing', record('decorated'));
    await events.publish(placing, order);
    expect(calls).toEqual([]);
  });
});
