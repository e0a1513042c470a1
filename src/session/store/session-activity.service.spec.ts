import { DatabaseClock } from '../../platform/database';
import { Scheduler } from '../../platform/jobs';
import type { Log } from '../../platform/logging';
import { SessionActivityService } from './session-activity.service';
import { SessionRepository } from './session.repository';

type Seen = Parameters<SessionRepository['touchSeen']>[0];

describe('SessionActivityService', () => {
  const written: Seen[] = [];
  let failure: Error | undefined;
  let now: number;
  let activity: SessionActivityService;

  beforeEach(() => {
    written.length = 0;
    failure = undefined;
    now = 1_000;
    const repository = {
      touchSeen: async (seen: Seen) => {
        if (failure) throw failure;
        written.push(seen);
      },
    } as SessionRepository;
    activity = new SessionActivityService(
      repository,
      new DatabaseClock(() => now),
      new Scheduler({} as Log, { takes: () => false }),
    );
  });

  it('writes each session once, with the latest time', async () => {
    activity.note('b');
    activity.note('a');
    now = 2_000;
    activity.note('b');
    await activity.flush();
    expect(written).toHaveLength(1);
    expect(new Map(written[0]!.map(({ id, at }) => [id, at]))).toEqual(
      new Map([
        ['a', new Date(1_000)],
        ['b', new Date(2_000)],
      ]),
    );
  });

  it('writes each activity once, and nothing without activity', async () => {
    activity.note('a');
    await activity.flush();
    await activity.flush();
    expect(written).toHaveLength(1);
  });

  it('retries a failed write, unless a newer time exists', async () => {
    failure = new Error('the database is away');
    activity.note('a');
    activity.note('b');
    const flushing = activity.flush();
    now = 2_000;
    activity.note('b');
    await expect(flushing).rejects.toBe(failure);
    failure = undefined;
    await activity.flush();
    expect(new Map(written[0]!.map(({ id, at }) => [id, at]))).toEqual(
      new Map([
        ['b', new Date(2_000)],
        ['a', new Date(1_000)],
      ]),
    );
  });

  it('includes unwritten activity and never goes back in time', () => {
    activity.note('a');
    expect(activity.lastSeen({ id: 'a', lastSeenAt: new Date(500) })).toEqual(new Date(1_000));
    expect(activity.lastSeen({ id: 'a', lastSeenAt: new Date(1_500) })).toEqual(new Date(1_500));
    expect(activity.lastSeen({ id: 'b', lastSeenAt: new Date(500) })).toEqual(new Date(500));
  });

  it('bounds the sessions between two writes', async () => {
    for (let count = 0; count < 10_050; count++) activity.note(`session ${count}`);
    await activity.flush();
    expect(written[0]).toHaveLength(10_000);
  });
});
