import { Transactions } from '../../platform/database';
import { DomainEvents } from '../../platform/events';
import { Job, Scheduler } from '../../platform/jobs';
import type { EndedSessions } from '../../session';
import { BackchannelLogoutService } from './backchannel-logout.service';
import { LeasedNotices, BackchannelLogoutOutboxService } from './backchannel-logout-outbox.service';
import { SessionsEndedListener } from './sessions-ended.listener';
import { OidcModelRepository } from './storage/oidc-model.repository';
import { LogoutNotice } from './storage/logout-notice.repository';

const noticeOf = (clientId: string, sid: string): LogoutNotice => ({
  id: `${clientId} ${sid}`,
  clientId,
  userId: 'ann',
  sid,
  allSessions: false,
  attempts: 1,
});
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('SessionsEndedListener.takeUp', () => {
  const notified: string[] = [];
  const claims: string[][] = [];
  let waiting: LogoutNotice[];
  let letGo: () => void;
  let ends: SessionsEndedListener;

  beforeEach(() => {
    notified.length = 0;
    claims.length = 0;
    waiting = ['1', '2', '3'].flatMap((sid) => [noticeOf('hanging', sid), noticeOf('quick', sid)]);
    const hanging = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const outbox = {
      /** Claims one notice of each client at a time. */
      claim: async (except: readonly string[]): Promise<LeasedNotices> => {
        claims.push([...except]);
        const notices = ['hanging', 'quick'].flatMap((clientId) => {
          const found = waiting.find((notice) => notice.clientId === clientId && !except.includes(clientId));
          return found ? [found] : [];
        });
        waiting = waiting.filter((notice) => !notices.includes(notice));
        return { notices, until: Infinity };
      },
    };
    const notices = {
      notify: async ({ notices: held }: LeasedNotices): Promise<void> => {
        if (held.some(({ clientId }) => clientId === 'hanging')) await hanging;
        notified.push(...held.map(({ id }) => id));
      },
    };
    ends = new SessionsEndedListener(
      {} as OidcModelRepository,
      outbox as unknown as BackchannelLogoutOutboxService,
      notices as unknown as BackchannelLogoutService,
      {} as Transactions,
      { every: () => undefined } as unknown as Scheduler,
      { on: () => undefined } as unknown as DomainEvents,
    );
  });

  it('delivers notices of one application while another hangs', async () => {
    const done = ends.takeUp(new AbortController().signal);
    await settled();
    expect(notified).toEqual(['quick 1', 'quick 2', 'quick 3']);
    expect(waiting.map(({ id }) => id)).toEqual(['hanging 2', 'hanging 3']);
    letGo();
    await done;
    expect(notified.slice(3)).toEqual(['hanging 1', 'hanging 2', 'hanging 3']);
  });

  it('claims no more notices during shutdown', async () => {
    const stop = new AbortController();
    const done = ends.takeUp(stop.signal);
    await settled();
    const before = claims.length;
    stop.abort();
    letGo();
    await done;
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
      {
        followSessions: fail,
        deleteExpired: fail,
        findOfEnded: async () => late,
        deleteOfSessions: async (...of: unknown[]) => {
          ended.push(of);
          return [];
        },
      } as unknown as OidcModelRepository,
      {} as BackchannelLogoutOutboxService,
      {} as BackchannelLogoutService,
      { run: (work: () => Promise<void>) => work() } as unknown as Transactions,
      { every: (_seconds: number, job: Job) => planned.push(job) } as unknown as Scheduler,
      { on: () => undefined } as unknown as DomainEvents,
    );
    ends.onModuleInit();
    const clean = planned.filter(({ name }) => name !== 'pending logout notices');
    const rounds = await Promise.allSettled(clean.map((job) => job.run(new AbortController().signal)));
    expect(rounds.map(({ status }) => status)).toContain('rejected');
    expect(ended).toEqual([['ann', ['one']]]);
  });
});

describe('SessionsEndedListener at the end of a session', () => {
  const lease = (...notices: LogoutNotice[]): LeasedNotices => ({ notices, until: Infinity });

  /** Ends a session while the outbox leases these notices, and returns how often they were delivered at once. */
  async function deliveriesOf(leased: LeasedNotices, isFull: boolean): Promise<number> {
    let end = (_: EndedSessions): Promise<void> => Promise.reject(new Error('Not listening'));
    let deliveries = 0;
    const state = { accountId: 'ann', authorizations: { app: { sid: 'sid' } } };
    const notify = async (): Promise<void> => {
      deliveries++;
    };
    const scheduler = { every: () => undefined, runInBackground: (job: Job) => job.run(new AbortController().signal) };
    const ends = new SessionsEndedListener(
      { deleteOfSessions: async () => [state] } as unknown as OidcModelRepository,
      { add: async () => leased } as unknown as BackchannelLogoutOutboxService,
      { isFull, notify } as unknown as BackchannelLogoutService,
      { afterCommit: (work: () => unknown) => work() } as unknown as Transactions,
      scheduler as unknown as Scheduler,
      { on: (_: unknown, handler: typeof end) => (end = handler) } as unknown as DomainEvents,
    );
    ends.onModuleInit();
    await end({ userId: 'ann', ids: ['one'] });
    return deliveries;
  }

  it('delivers the notices at once', async () => {
    expect(await deliveriesOf(lease(noticeOf('app', 'sid')), false)).toBe(1);
  });

  it('leaves the notices for later while too many are being delivered', async () => {
    expect(await deliveriesOf(lease(noticeOf('app', 'sid')), true)).toBe(0);
  });

  it('delivers nothing if no application wants a notice', async () => {
    expect(await deliveriesOf(lease(), false)).toBe(0);
  });
});
