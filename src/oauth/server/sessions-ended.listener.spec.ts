import { Transactions } from '../../platform/database';
import { DomainEvents } from '../../platform/events';
import { Job, Scheduler } from '../../platform/jobs';
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
