import { AuditPositionRepository } from '../../audit';
import { Scheduler } from '../../platform/jobs';
import { EventTailService } from './event-tail.service';

const ID = '01900000-0000-7000-8000-000000000000';
const LONG_MS = 60_000;

describe('EventTailService', () => {
  let newest: string;
  let poll: () => Promise<void>;
  let tail: EventTailService;

  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  /** Returns whether the wait has ended. */
  function wait(position: string): () => boolean {
    let hasEnded = false;
    void tail.wait({ position, id: ID }, LONG_MS).then(() => (hasEnded = true));
    return () => hasEnded;
  }

  beforeEach(() => {
    const acts = { newest: () => Promise.resolve({ position: newest, id: ID }) };
    const jobs = { every: (_: number, job: { run: () => Promise<void> }) => (poll = job.run) };
    tail = new EventTailService(acts as unknown as AuditPositionRepository, jobs as unknown as Scheduler);
    tail.onModuleInit();
  });

  afterEach(() => {
    tail.wakeAll();
  });

  it('wakes those who have not seen the newest act', async () => {
    newest = '7';
    const [behind, upToDate] = [wait('6'), wait('7')];
    await poll();
    await settled();
    expect([behind(), upToDate()]).toEqual([true, false]);
  });

  it('does not return at once again and again for an act that the database has lost', async () => {
    newest = '9';
    wait('5');
    await poll();
    newest = '5';
    const first = wait('5');
    await settled();
    expect(first()).toBe(true);
    const second = wait('5');
    await poll();
    await settled();
    expect(second()).toBe(false);
    newest = '6';
    await poll();
    await settled();
    expect(second()).toBe(true);
  });
});
