import { decodeJwt } from 'jose';
import { actAsEnabled } from '../../src/session';
import { maxSessionsPerUser, refreshPerMinutePerSession } from '../../src/session/store/session.settings';
import { ActingAnswer, actAs, ACT_AS, REASON, someoneActing, stopActing, whoIs } from '../support/accounts/acting';
import { eventually } from '../support/service/eventually';
import { endOfFeed, eventsSince } from '../support/receivers/events';
import { expectProblem } from '../support/service/expect-problem';
import { anyUserWith, UserWithGrants } from '../support/accounts/holders';
import { messagesTo } from '../support/receivers/inbox';
import { accessOf, refreshOf, sessionOf } from '../support/accounts/session-tokens';
import { TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const HALF_AN_HOUR_MS = 1_800_000;

type Session = ActingAnswer['session'] & { readonly current: boolean };

let service: TestService;
let admin: TestClient;

withService(async (started) => {
  service = started;
  admin = await service.admin();
});

const sessionsOf = async (client: TestClient): Promise<Session[]> =>
  (await client.get<{ items: Session[] }>('/api/auth/sessions')).body.items;

const isLive = async (id: string): Promise<boolean> =>
  (await service.query('SELECT 1 FROM session WHERE id = $1 AND revoked_at IS NULL', [id])).length > 0;

const endsOf = (userId: string): Promise<Record<string, unknown>[]> =>
  service.query(
    `SELECT actor_id, on_behalf_of_id, session_id, before FROM audit_event
     WHERE action = 'acting.end' AND target_id = $1`,
    [userId],
  );

const nameOf = ({ id, username }: UserWithGrants): object => ({ id, username });

describe('an acting session', () => {
  it('is of the user, names the actor and lasts half an hour', async () => {
    const { actor, user, sessionId } = await someoneActing(service, admin);
    expect(await whoIs(actor.client)).toEqual({ user: user.username, actor: actor.username });
    const [session] = (await sessionsOf(user.client)).filter(({ id }) => id === sessionId);
    expect(session).toMatchObject({ current: false, login_method: 'act_as', actor: nameOf(actor) });
    expect(Date.parse(session!.expires_at) - Date.parse(session!.created_at)).toBe(HALF_AN_HOUR_MS);
    const [own] = await sessionsOf(user.client).then((all) => all.filter(({ current }) => current));
    expect(own).not.toHaveProperty('actor');
  });

  it('ends with the own session of the actor, if that is sooner', async () => {
    await service.set(actAsEnabled, true);
    const [actor, user] = [await anyUserWith(service, admin, ACT_AS), await anyUserWith(service, admin)];
    await service.query(`UPDATE session SET expires_at = now() + interval '5 minutes' WHERE id = $1`, [
      sessionOf(actor.client),
    ]);
    const { body } = await actAs(actor.client, user);
    expect(Date.parse(body.session.expires_at) - Date.parse(body.session.created_at)).toBeLessThanOrEqual(300_000);
  });

  it('has tokens with the actor in `act`, which refreshing keeps and does not prolong', async () => {
    const { actor, user, sessionId } = await someoneActing(service, admin);
    const claims = { uid: user.id, act: { sub: actor.id } };
    for (const token of [accessOf(actor.client), refreshOf(actor.client)]) {
      expect(decodeJwt(token)).toMatchObject(claims);
    }
    expect(decodeJwt(accessOf(user.client))).not.toHaveProperty('act');
    const [before] = (await sessionsOf(user.client)).filter(({ id }) => id === sessionId);
    const refreshed = await actor.client.post<ActingAnswer>('/api/auth/refresh');
    expect(refreshed.body.session).toMatchObject({ id: sessionId, actor: nameOf(actor) });
    expect(refreshed.body.session.expires_at).toBe(before!.expires_at);
    expect(decodeJwt(accessOf(actor.client))).toMatchObject(claims);
  });

  it('counts neither as a login of the user nor among the sessions of the user', async () => {
    await service.set(actAsEnabled, true);
    await service.set(maxSessionsPerUser, 1);
    const [actor, user] = [await anyUserWith(service, admin, ACT_AS), await anyUserWith(service, admin)];
    const lastLogin = 'SELECT last_login_at FROM user_account WHERE id = $1';
    const before = await service.query(lastLogin, [user.id]);
    const { body } = await actAs(actor.client, user);
    expect(await service.query(lastLogin, [user.id])).toEqual(before);
    expect((await user.client.get('/api/auth/me')).status).toBe(200);
    await service.logIn(user.username);
    expect(await isLive(body.session.id)).toBe(true);
    await service.set(maxSessionsPerUser, maxSessionsPerUser.defaultValue);
  });

  it('passes a proxy only if the proxy allows it, and tells who acts', async () => {
    const { actor, user } = await someoneActing(service, admin);
    expectProblem(await actor.client.get('/api/auth/verify'), 403, 'acting_restricted');
    expectProblem(await actor.client.get('/api/auth/verify?acting=yes'), 400, 'validation_failed');
    const { headers, status } = await actor.client.get('/api/auth/verify?acting=allow');
    expect(status).toBe(204);
    expect(headers).toMatchObject({
      'x-user-id': user.id,
      'x-actor-id': actor.id,
      'x-actor-username': actor.username,
    });
    expect((await user.client.get('/api/auth/verify')).headers).not.toHaveProperty('x-actor-id');
  });

  it('leaves no session behind when the own one cannot be refreshed', async () => {
    const [actor, user] = [await anyUserWith(service, admin, ACT_AS), await anyUserWith(service, admin)];
    await service.set(refreshPerMinutePerSession, 1);
    expect((await actor.client.post('/api/auth/refresh')).status).toBe(200);
    expectProblem(await actAs(actor.client, user), 429, 'rate_limited');
    await service.set(refreshPerMinutePerSession, refreshPerMinutePerSession.defaultValue);
    const live = 'SELECT 1 FROM session WHERE actor_id = $1 AND revoked_at IS NULL';
    expect(await service.query(live, [actor.id])).toEqual([]);
  });

  it('replaces the one that began from the same own session', async () => {
    await service.set(actAsEnabled, true);
    const [actor, ...users] = [
      await anyUserWith(service, admin, ACT_AS),
      await anyUserWith(service, admin),
      await anyUserWith(service, admin),
    ];
    const { cookie } = actor.client;
    const begun = [];
    for (const user of users) {
      const options = { cookie, body: { reason: REASON } };
      begun.push(
        (await actor.client.send<ActingAnswer>('POST', `/api/user/${user.id}/act-as`, options)).body.session.id,
      );
    }
    expect(await Promise.all(begun.map(isLive))).toEqual([false, true]);
  });
});

describe('the record', () => {
  it('has the reason, and names actor and user in every event of the session', async () => {
    const { actor, user, sessionId } = await someoneActing(service, admin, 'audit:read');
    const [begun] = await service.query(
      `SELECT actor_id, on_behalf_of_id, reason, after FROM audit_event WHERE action = 'acting.start' AND target_id = $1`,
      [user.id],
    );
    expect(begun).toMatchObject({ actor_id: actor.id, on_behalf_of_id: null, reason: REASON });
    expect(begun!['after']).toMatchObject({ session_id: sessionId });
    expect((await actor.client.get('/api/audit/export?action=none')).status).toBe(200);
    const query = 'SELECT actor_id, on_behalf_of_id FROM audit_event WHERE session_id = $1';
    expect(await service.query(query, [sessionId])).toEqual([{ actor_id: actor.id, on_behalf_of_id: user.id }]);
    const { body } = await admin.get<{ items: object[] }>('/api/audit?action=audit.export');
    expect(body.items[0]).toMatchObject({ actor: nameOf(actor), on_behalf_of: nameOf(user) });
  });

  it('has events for other systems', async () => {
    const cursor = await endOfFeed(service, admin);
    const { actor, user, sessionId } = await someoneActing(service, admin);
    await stopActing(actor.client);
    const { items } = await eventsSince(service, admin, cursor);
    const acting = items.filter(({ type }) => type.startsWith('acting.'));
    expect(acting.map(({ type }) => type)).toEqual(['acting.started', 'acting.ended']);
    for (const event of acting) {
      expect(event).toMatchObject({ actor: { id: actor.id }, subject: { type: 'user', id: user.id } });
      expect(event.data).toMatchObject({ session_id: sessionId });
    }
  });

  it('reaches the user by mail, with the name of the actor', async () => {
    await service.set(actAsEnabled, true);
    const [actor, user] = [await anyUserWith(service, admin, ACT_AS), await anyUserWith(service, admin)];
    const address = `${user.username}@example.com`;
    await service.query('UPDATE user_account SET email = $2, email_key = $2, email_verified = true WHERE id = $1', [
      user.id,
      address,
    ]);
    await actAs(actor.client, user);
    const [message] = await eventually(
      async () => messagesTo(service, address),
      (messages) => messages.length > 0,
    );
    expect(message!.text).toContain(actor.username);
  });
});

describe('stopping to act', () => {
  it('returns to the own session and ends the acting one', async () => {
    const { actor, user, sessionId } = await someoneActing(service, admin);
    const answer = await stopActing(actor.client);
    expect(answer.status).toBe(200);
    expect(answer.body.session).not.toHaveProperty('actor');
    expect(await whoIs(actor.client)).toEqual({ user: actor.username, actor: undefined });
    expect(actor.client.jar.has('iam_actor')).toBe(false);
    expect(await isLive(sessionId)).toBe(false);
    expect(await endsOf(user.id)).toMatchObject([{ actor_id: actor.id, session_id: sessionId }]);
    expect((await actor.client.post('/api/auth/refresh')).status).toBe(200);
    expectProblem(await stopActing(actor.client), 404, 'not_found');
  });

  it('works after the acting session has expired, also without its cookies', async () => {
    for (const kept of [true, false]) {
      const { actor, sessionId } = await someoneActing(service, admin);
      await service.query(`UPDATE session SET expires_at = now() - interval '1 second' WHERE id = $1`, [sessionId]);
      expect((await actor.client.get('/api/auth/me')).status).toBe(401);
      if (!kept) for (const name of ['iam_access', 'iam_refresh']) actor.client.jar.delete(name);
      expect((await stopActing(actor.client)).status).toBe(200);
      expect(await whoIs(actor.client)).toEqual({ user: actor.username, actor: undefined });
    }
  });

  it('gives the own session only to the browser that has its token', async () => {
    const { actor, sessionId } = await someoneActing(service, admin);
    actor.client.jar.delete('iam_actor');
    expectProblem(await stopActing(actor.client), 401, 'unauthenticated');
    expect(await isLive(sessionId)).toBe(false);
    expect(actor.client.jar.has('iam_access')).toBe(false);
  });

  it('leads to no other session than the one from which the acting session began', async () => {
    const [one, two] = [await someoneActing(service, admin), await someoneActing(service, admin)];
    one.actor.client.jar.set('iam_actor', two.actor.client.jar.get('iam_actor') ?? '');
    expectProblem(await stopActing(one.actor.client), 401, 'unauthenticated');
  });

  it('is no way into a session that has ended', async () => {
    const { actor } = await someoneActing(service, admin);
    await admin.delete(`/api/user/${actor.id}/sessions`);
    expectProblem(await stopActing(actor.client), 401, 'session_revoked');
    expect(actor.client.jar.has('iam_actor')).toBe(false);
  });

  it('is over with another login in the same browser', async () => {
    const { actor, user } = await someoneActing(service, admin);
    const body = { type: 'password', username: user.username, password: PASSWORD };
    const login = await actor.client.post('/api/auth/login', body);
    expect(login.status).toBe(200);
    expect(actor.client.jar.has('iam_actor')).toBe(false);
    expectProblem(await stopActing(actor.client), 404, 'not_found');
  });

  it.each(['iam_actor', 'iam_refresh', 'iam_access'])(
    'ends the acting session with another login, of which the browser has kept %s only',
    async (kept) => {
      const { actor, user, sessionId } = await someoneActing(service, admin);
      const own = actor.client.jar.get('iam_actor') ?? '';
      for (const name of ['iam_actor', 'iam_refresh', 'iam_access']) {
        if (name !== kept) actor.client.jar.delete(name);
      }
      const body = { type: 'password', username: user.username, password: PASSWORD };
      expect((await actor.client.post('/api/auth/login', body)).status).toBe(200);
      expect(await isLive(sessionId)).toBe(false);
      expect(await endsOf(user.id)).toMatchObject([{ actor_id: actor.id, session_id: sessionId }]);
      expect((await service.client().post('/api/auth/refresh', { refresh_token: own })).status).toBe(200);
    },
  );

  it('ends the acting session with a refresh token of another session, which the browser gets', async () => {
    const { actor, user, sessionId } = await someoneActing(service, admin);
    const body = { refresh_token: refreshOf(user.client) };
    expect((await actor.client.post('/api/auth/refresh', body)).status).toBe(200);
    expect(await whoIs(actor.client)).toEqual({ user: user.username, actor: undefined });
    expect(await isLive(sessionId)).toBe(false);
    expect(await endsOf(user.id)).toMatchObject([{ actor_id: actor.id, session_id: sessionId }]);
  });

  it('by a logout ends both sessions', async () => {
    const { actor, sessionId } = await someoneActing(service, admin);
    const kept = actor.client.jar.get('iam_actor') ?? '';
    expect((await actor.client.post('/api/auth/logout')).status).toBe(204);
    expect(await isLive(sessionId)).toBe(false);
    expect(actor.client.jar.has('iam_actor')).toBe(false);
    expectProblem(await actor.client.post('/api/auth/refresh', { refresh_token: kept }), 401, 'session_revoked');
  });
});

describe('the end of an acting session', () => {
  const others = async ({ id }: UserWithGrants, change: object): Promise<void> => {
    const answer = await admin.patch(`/api/user/${id}/permissions`, change);
    if (answer.status !== 200) throw new Error(answer.text);
  };

  it.each<[string, (actor: UserWithGrants, user: UserWithGrants, sessionId: string) => Promise<unknown>]>([
    ['the actor logs out elsewhere', ({ id }) => admin.delete(`/api/user/${id}/sessions`)],
    ['the actor is disabled', ({ id }) => admin.patch(`/api/user/${id}`, { status: 'disabled' })],
    ['the actor is deleted', ({ id }) => admin.delete(`/api/user/${id}`)],
    ['the actor loses the permission', (actor) => others(actor, { remove: [ACT_AS] })],
    ['the actor loses what the user holds', (actor) => others(actor, { remove: ['report:read'] })],
    ['the user gains what the actor lacks', (_, user) => others(user, { add: [{ permission_id: 'role:read' }] })],
    ['the setting is turned off', () => service.set(actAsEnabled, false)],
    ['the user ends it', (_, { client }, sessionId) => client.delete(`/api/auth/sessions/${sessionId}`)],
    ['the user ends all others', (_, { client }) => client.delete('/api/auth/sessions')],
    ['the user is disabled', (_, { id }) => admin.patch(`/api/user/${id}`, { status: 'disabled' })],
    ['the user is deleted', (_, { id }) => admin.delete(`/api/user/${id}`)],
  ])('comes at once when %s, and is final', async (_, act) => {
    const { actor, user, sessionId } = await someoneActing(service, admin, 'report:read');
    expect((await actor.client.get('/api/auth/me')).status).toBe(200);
    const { cookie } = actor.client;
    await act(actor, user, sessionId);
    expectProblem(await actor.client.get('/api/auth/me', { cookie }), 401, 'session_revoked');
    const refreshed = await actor.client.send('POST', '/api/auth/refresh', { cookie });
    expectProblem(refreshed, 401, 'session_revoked');
    await service.set(actAsEnabled, true);
    await admin.patch(`/api/user/${actor.id}/permissions`, {
      add: [{ permission_id: ACT_AS }, { permission_id: 'report:read' }, { permission_id: 'role:read' }],
    });
    expectProblem(await actor.client.get('/api/auth/me', { cookie }), 401, 'session_revoked');
  });

  it('reaches other instances within a second', async () => {
    const other = await service.another();
    const { actor } = await someoneActing(service, admin);
    const there = other.client();
    for (const [name, value] of actor.client.jar) there.jar.set(name, value);
    expect((await there.get('/api/auth/me')).status).toBe(200);
    await others(actor, { remove: [ACT_AS] });
    await eventually(
      () => there.get('/api/auth/me'),
      ({ status }) => status === 401,
      1.2,
    );
  });

  it('is reported by an event that says whose', async () => {
    const { actor, user, sessionId } = await someoneActing(service, admin);
    await user.client.delete(`/api/auth/sessions/${sessionId}`);
    const [ended, ...more] = await endsOf(user.id);
    expect(more).toEqual([]);
    expect(ended).toMatchObject({ actor_id: user.id, on_behalf_of_id: null });
    expect(ended!['before']).toEqual({ session_id: sessionId, actor_id: actor.id, actor_name: actor.username });
  });
});
