import { Transactions } from '../../../platform/database';
import { DomainEvents } from '../../../platform/jobs/events';
import { Job, Scheduler } from '../../../platform/jobs';
import { EndedSessions, sessionsEnded } from '../../../session';
import { BackchannelLogoutService } from './backchannel-logout.service';
import { LeasedNotices, BackchannelLogoutOutboxService } from './backchannel-logout-outbox.service';
import { SessionsEndedListener } from './sessions-ended.listener';
import { OidcModelRepository } from '../storage/oidc-model.repository';
import { LogoutNotice } from '../storage/logout-notice.repository';
import { fake } from '../../../../test/support/service/fake';

const noticeOf = (clientId: string, sid: string): LogoutNotice => ({
  id: `${clientId} ${sid}`,
  clientId,
  userId: 'ann',
  sid,
  allSessions: false,
  attempts: 1,
});
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
/** Longer than all that is done one after another. */
async function idle(): Promise<void> {
  for (let round = 0; round < 20; round++) await settled();
}

describe('SessionsEndedListener.takeUp', () => {
  const notified: string[] = [];
  const claims: string[][] = [];
  const stop = { signal: new AbortController().signal };
  let running: Promise<void>[];
  let waiting: LogoutNotice[];
  let letGo: () => void;
  let isFull: boolean;
  let isCrowded: boolean;
  let most: number;
  let ends: SessionsEndedListener;

  beforeEach(() => {
    notified.length = 0;
    claims.length = 0;
    running = [];
    isFull = false;
    isCrowded = false;
    most = 1;
    stop.signal = new AbortController().signal;
    waiting = ['1', '2', '3'].flatMap((sid) => [noticeOf('hanging', sid), noticeOf('quick', sid)]);
    const hanging = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const outbox = {
      /** Claims one notice of each client at a time, or `most`. */
      claim: async (except: readonly string[]): Promise<LeasedNotices> => {
        claims.push([...except]);
        const notices = ['hanging', 'quick'].flatMap((clientId) =>
          waiting.filter((notice) => notice.clientId === clientId && !except.includes(clientId)).slice(0, most),
        );
        waiting = waiting.filter((notice) => !notices.includes(notice));
        await settled();
        return { notices, until: Infinity };
      },
    };
    const notices = {
      get isFull() {
        return isFull;
      },
      notify: async ({ notices: held }: LeasedNotices): Promise<boolean> => {
        if (held.some(({ clientId }) => clientId === 'hanging')) await hanging;
        notified.push(...held.map(({ id }) => id));
        return !isCrowded;
      },
    };
    const jobs = { every: () => undefined, runInBackground: (job: Job) => running.push(job.run(stop.signal)) };
    ends = new SessionsEndedListener(
      {} as OidcModelRepository,
      outbox as unknown as BackchannelLogoutOutboxService,
      notices as unknown as BackchannelLogoutService,
      {} as Transactions,
      jobs as unknown as Scheduler,
      fake<DomainEvents>({ on: () => undefined }),
    );
  });

  it('delivers notices of one application while another hangs', async () => {
    await ends.takeUp(stop.signal);
    await idle();
    expect(notified).toEqual(['quick 1', 'quick 2', 'quick 3']);
    expect(waiting.map(({ id }) => id)).toEqual(['hanging 2', 'hanging 3']);
    letGo();
    await idle();
    expect(notified.slice(3)).toEqual(['hanging 1', 'hanging 2', 'hanging 3']);
    await Promise.all(running);
  });

  it('claims notices of other applications meanwhile', async () => {
    await ends.takeUp(stop.signal);
    await idle();
    waiting.push(noticeOf('quick', '4'));
    await ends.takeUp(stop.signal);
    await idle();
    expect(notified).toContain('quick 4');
    letGo();
    await idle();
  });

  it('claims none while too many are being delivered', async () => {
    isFull = true;
    await ends.takeUp(stop.signal);
    expect(claims).toEqual([]);
    letGo();
  });

  it('claims once at a time', async () => {
    await Promise.all([ends.takeUp(stop.signal), ends.takeUp(stop.signal), ends.takeUp(stop.signal)]);
    await idle();
    expect(notified).toEqual(['quick 1', 'quick 2', 'quick 3']);
    expect(waiting.map(({ id }) => id)).toEqual(['hanging 2', 'hanging 3']);
    for (const except of claims.slice(1)) expect(except).toContain('hanging');
    letGo();
    await idle();
  });

  it('claims none while 400 due notices are being delivered', async () => {
    waiting = Array.from({ length: 500 }, (_, index) => noticeOf('hanging', `${index}`));
    most = 400;
    await ends.takeUp(stop.signal);
    await ends.takeUp(stop.signal);
    expect(claims).toHaveLength(1);
    letGo();
    await idle();
    expect(notified).toHaveLength(500);
  });

  it('leaves an application for which too much is waiting until the next round', async () => {
    isCrowded = true;
    letGo();
    await ends.takeUp(stop.signal);
    await idle();
    expect(notified).toEqual(['quick 1', 'hanging 1']);
    await ends.takeUp(stop.signal);
    await idle();
    expect(notified.slice(2)).toEqual(['quick 2', 'hanging 2']);
  });

  it('claims no more notices during shutdown', async () => {
    const stopping = new AbortController();
    stop.signal = stopping.signal;
    await ends.takeUp(stop.signal);
    await idle();
    const before = claims.length;
    stopping.abort();
    letGo();
    await Promise.all(running);
    await ends.takeUp(stop.signal);
    expect(claims).toHaveLength(before);
    expect(notified).not.toContain('hanging 2');
  });
});

describe('SessionsEndedListener cleanup', () => {
  it('ends tokens of ended sessions even if other cleanup fails', async () => {
    const planned: Job[] = [];
    const ended: unknown[] = [];
    const late = [{ userId: 'ann', sessionId: 'one' }];
    const fail = (): Promise<number> => Promise.reject(new Error('statement timeout'));
    const ends = new SessionsEndedListener(
      fake<OidcModelRepository>({
        followSessions: fail,
        deleteExpired: fail,
        findOfEnded: async () => late,
        deleteOfSessions: async (...of: unknown[]) => {
          ended.push(of);
          return [];
        },
      }),
      {} as BackchannelLogoutOutboxService,
      {} as BackchannelLogoutService,
      fake<Transactions>({ run: (work: () => Promise<void>) => work() }),
      fake<Scheduler>({ every: (_seconds: number, job: Job) => planned.push(job) }),
      fake<DomainEvents>({ on: () => undefined }),
    );
    ends.onModuleInit();
    const clean = planned.filter(({ name }) => name !== 'pending logout notices');
    const rounds = await Promise.allSettled(clean.map((job) => job.run(new AbortController().signal)));
    expect(rounds.map(({ status }) => status)).toContain('rejected');
    expect(ended).toEqual([['ann', ['one']]]);
  });
});

describe('SessionsEndedListener at the end of a session', () => {
  const released: string[] = [];
  let added: number;
  const lease = (...notices: LogoutNotice[]): LeasedNotices => ({ notices, until: Infinity });

  /** Ends a session while the outbox leases these notices, and returns how often they were delivered at once. */
  async function deliveriesOf(
    leased: LeasedNotices,
    isFull: boolean,
    authorizations: object = { app: { sid: 'sid' } },
  ): Promise<number> {
    released.length = 0;
    added = 0;
    let end = (_: EndedSessions): Promise<void> => Promise.reject(new Error('Not listening'));
    let deliveries = 0;
    const state = { accountId: 'ann', authorizations };
    const notify = async (): Promise<boolean> => {
      deliveries++;
      return true;
    };
    const outbox = {
      add: async () => {
        added++;
        return leased;
      },
      release: async (notices: LogoutNotice[]) => void released.push(...notices.map(({ id }) => id)),
    };
    const scheduler = { every: () => undefined, runInBackground: (job: Job) => job.run(new AbortController().signal) };
    const ends = new SessionsEndedListener(
      fake<OidcModelRepository>({ deleteOfSessions: async () => [state] }),
      outbox as unknown as BackchannelLogoutOutboxService,
      fake<BackchannelLogoutService>({ isFull, notify }),
      fake<Transactions>({ afterCommit: (work: () => unknown) => work() }),
      scheduler as unknown as Scheduler,
      fake<DomainEvents>({
        on: (event: unknown, handler: typeof end) => {
          if (event === sessionsEnded) end = handler;
        },
      }),
    );
    ends.onModuleInit();
    await end({ userId: 'ann', ids: ['one'] });
    return deliveries;
  }

  it('delivers the notices at once', async () => {
    expect(await deliveriesOf(lease(noticeOf('app', 'sid')), false)).toBe(1);
    expect(released).toEqual([]);
  });

  it('releases the notices while too many are being delivered', async () => {
    expect(await deliveriesOf(lease(noticeOf('app', 'sid')), true)).toBe(0);
    expect(released).toEqual(['app sid']);
  });

  it('stores no notices of a session without applications', async () => {
    expect(await deliveriesOf(lease(), false, {})).toBe(0);
    expect(added).toBe(0);
  });

  it('delivers nothing if no application wants a notice', async () => {
    expect(await deliveriesOf(lease(), false)).toBe(0);
  });
});
