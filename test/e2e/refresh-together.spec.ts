import { newId } from '../../src/platform/crypto';
import { DatabaseClock } from '../../src/platform/database';
import { RotationRepository } from '../../src/session/refresh/rotation.repository';
import { RefreshBatcherService } from '../../src/session/refresh/refresh-batcher.service';
import type { SessionSummary } from '../../src/session/store/session.repository';
import { eventually } from '../support/service/eventually';
import { itOnServer } from '../support/service/on-server';
import { rotationOf } from '../support/oauth/rotation-of';
import { sessionOf } from '../support/accounts/session-tokens';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

/** Rotations of one event loop turn are sent as one statement. */
describe('concurrent refreshes', () => {
  let service: TestService;
  let made = 0;

  withService((started) => {
    service = started;
  });

  const newSession = async (): Promise<string> => sessionOf(await service.signUp(`together_${++made}`));

  const counterOf = async (id: string): Promise<number | undefined> =>
    (await service.query<{ counter: number }>('SELECT counter FROM session WHERE id = $1', [id]))[0]?.counter;

  function rotate(id: string, counter = 1, from: { ip?: string; userAgent?: string } = {}) {
    const askedAt = service.app.get(DatabaseClock).now();
    return service.app.get(RefreshBatcherService).rotate(rotationOf(id, { counter, askedAt, ...from }));
  }

  const isRotated = (session: SessionSummary | undefined): boolean => session !== undefined;

  it('return their own session each and store where they came from', async () => {
    const ids = [await newSession(), await newSession(), await newSession()];
    const sessions = await Promise.all(
      ids.map((id, at) => rotate(id, 1, { ip: `192.0.2.${at}`, userAgent: `tab ${at}` })),
    );
    for (const [at, id] of ids.entries()) {
      const [row] = await service.query(
        `SELECT id, user_id, counter, ip, user_agent, login_method, remember, amr, created_at, rotated_at, last_seen_at, expires_at
         FROM session WHERE id = $1`,
        [id],
      );
      expect(row).toMatchObject({ counter: 2, ip: `192.0.2.${at}`, user_agent: `tab ${at}` });
      const {
        userId,
        counter,
        ip,
        userAgent,
        loginMethod,
        remember,
        amr,
        createdAt,
        rotatedAt,
        lastSeenAt,
        expiresAt,
      } = sessions[at]!;
      expect({
        id: sessions[at]!.id,
        user_id: userId,
        counter,
        ip,
        user_agent: userAgent,
        login_method: loginMethod,
        remember,
        amr,
        created_at: createdAt,
        rotated_at: rotatedAt,
        last_seen_at: lastSeenAt,
        expires_at: expiresAt,
      }).toEqual(row);
      expect(expiresAt.getTime() - rotatedAt.getTime()).toBe(600_000);
    }
  });

  it('rotate a session once for several requests', async () => {
    const [twice, once] = [await newSession(), await newSession()];
    const sessions = await Promise.all([rotate(twice), rotate(once), rotate(twice), rotate(twice)]);
    expect(sessions.map(isRotated)).toEqual([true, true, false, false]);
    expect(await Promise.all([twice, once].map(counterOf))).toEqual([2, 2]);
  });

  it('rotate valid sessions but none that is revoked, expired, rotated, late or of a disabled user', async () => {
    const names = ['good', 'ended', 'expired', 'moved', 'disabled', 'late'] as const;
    const ids = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await newSession()]))) as Record<
      (typeof names)[number],
      string
    >;
    await service.query('UPDATE session SET revoked_at = now() WHERE id = $1', [ids.ended]);
    await service.query(`UPDATE session SET expires_at = now() - interval '1 second' WHERE id = $1`, [ids.expired]);
    await service.query('UPDATE session SET counter = 5 WHERE id = $1', [ids.moved]);
    await service.query(
      `UPDATE user_account SET status = 'disabled' WHERE id = (SELECT user_id FROM session WHERE id = $1)`,
      [ids.disabled],
    );
    const late = service.app.get(RefreshBatcherService).rotate(rotationOf(ids.late, { askedAt: Date.now() - 60_000 }));
    const rest = names.slice(0, -1).map((name) => rotate(ids[name]));
    expect((await Promise.all([...rest, late])).map(isRotated)).toEqual([true, false, false, false, false, false]);
    expect(await Promise.all(names.map((name) => counterOf(ids[name])))).toEqual([2, 1, 1, 5, 1, 1]);
  });

  it('do not fail when the database rejects one of them', async () => {
    const [good, bad] = [await newSession(), await newSession()];
    const [one, other] = await Promise.allSettled([rotate(good), rotate(bad, 1, { ip: 'x'.repeat(46) })]);
    expect(one).toMatchObject({ status: 'fulfilled', value: { id: good, counter: 2 } });
    expect(other.status).toBe('rejected');
    expect(await Promise.all([good, bad].map(counterOf))).toEqual([2, 1]);
  });

  itOnServer('do not wait for a locked session, which is rotated when the lock ends', async () => {
    const [held, free] = [await newSession(), await newSession()];
    await service.query('BEGIN');
    await service.query('SELECT 1 FROM session WHERE id = $1 FOR UPDATE', [held]);
    let isLetGo = false;
    const waiting = rotate(held).then((session) => ({ session, isLetGo }));
    try {
      expect(await rotate(free)).toMatchObject({ id: free, counter: 2 });
    } finally {
      isLetGo = true;
      await service.query('COMMIT');
    }
    expect(await waiting).toMatchObject({ session: { id: held, counter: 2 }, isLetGo: true });
  });

  itOnServer('rotate no session that another instance rotates after they start', async () => {
    const repository = service.app.get(RotationRepository);
    const [id, another] = [await newSession(), await newSession()];
    // Keeps the deadline away, however slow the machine is.
    const asked = { askedAt: service.app.get(DatabaseClock).now() + 60_000 };
    // Many missing sessions come first, so that time passes between the snapshot of the statement and its row locks.
    const before = Array.from({ length: 20_000 }, () => rotationOf(newId(), asked));
    const together = repository.rotateUnlocked([...before, rotationOf(id, asked), rotationOf(another, asked)]);
    await eventually(
      () =>
        service.query(`SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND backend_xmin IS NOT NULL AND query LIKE '%SKIP LOCKED) AS found%'
          AND pid <> pg_backend_pid()`),
      (looking) => looking.length > 0,
    );
    let isOver = false;
    const rotated = together.then((all) => {
      isOver = true;
      return all.map((each) => each.id);
    });
    expect(await repository.rotate(rotationOf(id, asked))).toMatchObject({ id });
    expect(isOver).toBe(false);
    expect(await rotated).toEqual([another]);
    expect(await Promise.all([id, another].map(counterOf))).toEqual([2, 2]);
  });
});
