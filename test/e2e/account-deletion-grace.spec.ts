import { deletionGraceDays } from '../../src/auth';
import { RequestedDeletionsService } from '../../src/auth/account/requested-deletions.service';
import { maxHourlyNotices } from '../../src/messaging';
import { Account, logInLongAgo, proveContacts } from '../support/accounts/accounts';
import { expectProblem } from '../support/service/expect-problem';
import { userWith, systemRole } from '../support/accounts/holders';
import { messagesTo } from '../support/receivers/inbox';
import { basic, logInAt, post, registerApp } from '../support/oauth/oauth';
import { raceRounds } from '../support/service/race-rounds';
import { Problem, TestClient } from '../support/service/test-client';
import { eventually, PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const ME = '/api/auth/me';
const CANCEL = `${ME}/deletion/cancel`;
const DAY_MS = 86_400_000;

type Me = Account & { readonly deletion_due_at: string | null };

describe('a deletion with days of grace', () => {
  let service: TestService;
  let admin: TestClient;
  let made = 0;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
    await service.set(deletionGraceDays, 7);
  });

  const unique = (): string => `grace_${++made}`;
  const run = async (on = service, stopping = new AbortController().signal): Promise<void> => {
    const deletions = on.app.get(RequestedDeletionsService, { strict: false });
    await deletions.remind(stopping);
    await deletions.deleteDue(stopping);
  };
  const meOf = async (client: TestClient): Promise<Me> => (await client.get<Me>(ME)).body;
  const isThere = async (id: string): Promise<boolean> =>
    (await service.query('SELECT 1 FROM user_account WHERE id = $1', [id])).length > 0;
  const actionsOf = async (id: string): Promise<string[]> => {
    const rows = await service.query<{ action: string }>(
      `SELECT action FROM audit_event WHERE target_id = $1 AND action <> 'login' ORDER BY at, id`,
      [id],
    );
    return rows.map(({ action }) => action);
  };
  /** Moves the time of the deletion; a negative number makes it due. */
  const dueInHours = (id: string, hours: number): Promise<unknown> =>
    service.query(`UPDATE user_account SET deletion_due_at = now() + make_interval(hours => $2) WHERE id = $1`, [
      id,
      hours,
    ]);
  /** A user with a verified address who has asked for the deletion. */
  async function leaver(): Promise<{ id: string; username: string; email: string; client: TestClient }> {
    const username = unique();
    const email = `${username}@example.com`;
    const client = await service.signUp(username, { email });
    await proveContacts(service, username);
    const { id } = await meOf(client);
    expect((await client.delete(ME)).status).toBe(202);
    return { id, username, email, client };
  }
  const subjectsTo = (email: string, count: number): Promise<(string | undefined)[]> =>
    eventually(
      async () => messagesTo(service, email).map(({ subject }) => subject),
      (subjects) => subjects.length >= count,
    );

  it('ends the sessions, keeps the account and says when it is deleted', async () => {
    const ann = await service.signUp(unique());
    const { id, username } = await meOf(ann);
    const other = await service.logIn(username);
    const answer = await ann.delete<{ deletion_due_at: string }>(ME);
    expect(answer.status).toBe(202);
    const days = (Date.parse(answer.body.deletion_due_at) - Date.now()) / DAY_MS;
    expect([days > 6.99, days < 7.01]).toEqual([true, true]);
    expectProblem(await other.get<Problem>(ME), 401, 'session_revoked');
    expect([...ann.jar.keys()].filter((name) => name !== 'iam_device')).toEqual([]);

    const again = await service.logIn(username);
    expect((await meOf(again)).deletion_due_at).toBe(answer.body.deletion_due_at);
    expect(await actionsOf(id)).toEqual(['user.create', 'session.revoke_all', 'user.request_deletion']);
  });

  it('ends the access of applications, whose refresh tokens no longer work', async () => {
    const { app, config } = await registerApp(service);
    const client = await service.signUp(unique());
    const { id } = await meOf(client);
    const tokens = await logInAt(config, client, { scope: 'openid offline_access', prompt: 'consent' });
    const refresh = (token?: string): ReturnType<typeof post> =>
      post(service, '/api/oauth/token', { grant_type: 'refresh_token', refresh_token: token ?? '' }, basic(app));
    const before = await refresh(tokens.refresh_token);
    expect(before.status).toBe(200);
    expect((await client.delete(ME)).status).toBe(202);
    const after = await refresh(String(before.body['refresh_token']));
    expect([after.status, after.body['error']]).toEqual([400, 'invalid_grant']);
    expect(await isThere(id)).toBe(true);
  });

  it('keeps its time when it is requested again', async () => {
    const { username, id } = await leaver();
    await dueInHours(id, 50);
    const again = await service.logIn(username);
    const before = (await meOf(again)).deletion_due_at;
    const answer = await again.delete<{ deletion_due_at: string }>(ME);
    expect([answer.status, answer.body.deletion_due_at]).toEqual([202, before]);
  });

  it('requires a recent login and is refused for the last administrator', async () => {
    const username = unique();
    await service.register(username);
    const old = await logInLongAgo(service, username);
    expectProblem(await old.delete<Problem>(ME), 401, 'reauthentication_required');
    expectProblem(await (await service.admin()).delete<Problem>(ME), 409, 'last_admin');
    expect((await meOf(old)).deletion_due_at).toBeNull();
  });

  it('is cancelled by its owner, who gets a notice', async () => {
    const { id, username, email } = await leaver();
    const back = await service.logIn(username);
    expect((await back.post(CANCEL)).status).toBe(204);
    expect((await meOf(back)).deletion_due_at).toBeNull();
    expect((await back.post(CANCEL)).status).toBe(204);
    expect((await actionsOf(id)).filter((action) => action === 'user.cancel_deletion')).toHaveLength(1);
    expect(await subjectsTo(email, 2)).toEqual([
      'Your Castellan account stays',
      'Your Castellan account will be deleted',
    ]);
    await run();
    expect(await isThere(id)).toBe(true);
  });

  it('is seen and cancelled by an administrator, but not by others', async () => {
    const { id } = await leaver();
    const { body } = await admin.get<Me>(`/api/user/${id}`);
    expect(body.deletion_due_at).not.toBeNull();
    const cancel = `/api/user/${id}/deletion/cancel`;
    expectProblem(await (await service.signUp(unique())).post<Problem>(cancel), 403, 'permission_denied');
    const { client } = await userWith(service, admin, unique(), 'user:admin');
    expect((await client.post(cancel)).status).toBe(204);
    expect((await admin.get<Me>(`/api/user/${id}`)).body.deletion_due_at).toBeNull();
    const [event] = await service.query(
      `SELECT actor_name, before FROM audit_event WHERE action = 'user.cancel_deletion' AND target_id = $1`,
      [id],
    );
    expect(event).toMatchObject({ before: { deletion_due_at: body.deletion_due_at } });
  });

  it('is done when its time is over, with a notice to the owner before and after', async () => {
    const { id, username, email } = await leaver();
    const back = await service.logIn(username);
    await run();
    expect(await isThere(id)).toBe(true);

    await dueInHours(id, 20);
    await run();
    await run();
    expect(await subjectsTo(email, 2)).toEqual([
      'Your Castellan account will be deleted soon',
      'Your Castellan account will be deleted',
    ]);

    await dueInHours(id, -1);
    await run();
    expect(await isThere(id)).toBe(false);
    expectProblem(await back.get<Problem>(ME), 401, 'session_revoked');
    expect((await subjectsTo(email, 3))[0]).toBe('Your Castellan account was deleted');
    const [event] = await service.query(
      `SELECT actor_id, target_label FROM audit_event WHERE action = 'user.delete' AND target_id = $1`,
      [id],
    );
    expect(event).toEqual({ actor_id: id, target_label: username });
  });

  it('is done once by instances that run at the same time', async () => {
    const others = [service, await service.another()];
    const { id } = await leaver();
    await dueInHours(id, -1);
    await Promise.all([...others, ...others].map((instance) => run(instance)));
    expect((await actionsOf(id)).filter((action) => action === 'user.delete')).toHaveLength(1);
  });

  it('leaves no session of a login at that moment, or keeps the account of a cancellation before it', async () => {
    for (let round = 0; round < raceRounds(20); round++) {
      const { id, username } = await leaver();
      const back = await service.logIn(username);
      await dueInHours(id, -1);
      const guest = service.client();
      const [cancelled, login] = await Promise.all([
        back.post(CANCEL),
        guest.post('/api/auth/login', { type: 'password', username, password: PASSWORD }),
        run(),
      ]);
      if (await isThere(id)) {
        expect([cancelled.status, login.status]).toEqual([204, 200]);
        expect((await meOf(back)).deletion_due_at).toBeNull();
      } else {
        expect(cancelled.status).toBe(401);
        expect((await guest.get(ME)).status).toBe(401);
      }
    }
  });

  it('does not delete the last administrator, nor does that hold up others', async () => {
    const adminId = (await meOf(admin)).id;
    const { id } = await leaver();
    await dueInHours(adminId, -2);
    await dueInHours(id, -1);
    await run();
    expect([await isThere(adminId), await isThere(id)]).toEqual([true, false]);
    await service.query('UPDATE user_account SET deletion_due_at = NULL WHERE id = $1', [adminId]);
  });

  it('waits while the account is disabled', async () => {
    const { id } = await leaver();
    await dueInHours(id, -1);
    expect((await admin.patch(`/api/user/${id}`, { status: 'disabled' })).status).toBe(200);
    await run();
    expect(await isThere(id)).toBe(true);
    expect((await admin.patch(`/api/user/${id}`, { status: 'active' })).status).toBe(200);
    await run();
    expect(await isThere(id)).toBe(false);
  });

  it('is refused for an administrator if the others await their deletion', async () => {
    const { id } = await meOf(admin);
    const second = await userWith(service, admin, unique());
    const role = await systemRole(admin, 'admin');
    await service.query('INSERT INTO user_role (user_id, role_id) VALUES ($1, $2)', [second.id, role.id]);
    expect((await second.client.delete(ME)).status).toBe(202);
    expectProblem(await admin.delete<Problem>(ME), 409, 'last_admin');
    await dueInHours(second.id, -1);
    await run();
    expect([await isThere(id), await isThere(second.id)]).toEqual([true, false]);
  });

  it('stops between accounts when the service stops', async () => {
    const { id } = await leaver();
    await dueInHours(id, -1);
    await run(service, AbortSignal.abort());
    expect(await isThere(id)).toBe(true);
    await run();
    expect(await isThere(id)).toBe(false);
  });

  it('is cancelled before a required change of the password', async () => {
    const { id, username } = await leaver();
    await service.query('UPDATE user_account SET must_change_password = true WHERE id = $1', [id]);
    const back = await service.logIn(username);
    expect((await back.post(CANCEL)).status).toBe(204);
    await service.query('UPDATE user_account SET must_change_password = false WHERE id = $1', [id]);
    expect((await meOf(await service.logIn(username))).deletion_due_at).toBeNull();
  });

  it('is announced although the recipient reached the hourly limit of notices', async () => {
    await service.set(maxHourlyNotices, 1);
    const { id, email } = await leaver();
    await dueInHours(id, 20);
    await run();
    expect(await subjectsTo(email, 2)).toEqual([
      'Your Castellan account will be deleted soon',
      'Your Castellan account will be deleted',
    ]);
    await service.set(maxHourlyNotices, 10);
  });
});
