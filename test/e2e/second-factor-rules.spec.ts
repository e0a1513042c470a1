import { mfaPolicy, trustedDeviceDays, passkeyOptionsPerMinutePerUser } from '../../src/mfa';
import { createUser } from '../support/accounts/admin-users';
import { userWith } from '../support/accounts/holders';
import { logInLongAgo } from '../support/accounts/accounts';
import { expectProblem } from '../support/service/expect-problem';
import {
  actionsOn,
  factorsOf,
  isLoggedIn,
  codeOf,
  Enrolled,
  enrolTotp,
  firstStep,
  freshCode,
  isAsked,
  outcome,
  secondStep,
  signUpEnrolled,
  trustedBy,
  WRONG,
} from '../support/accounts/second-factors';
import type { Answer, Problem, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

describe('second factor rules', () => {
  let service: TestService;
  let admin: TestClient;
  let users = 0;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
  });

  const enrolled = (): Promise<Enrolled> => signUpEnrolled(service, `enrolled_${users++}`);

  describe('change of factors', () => {
    const changes: Record<string, (client: TestClient, id: string) => Promise<Answer<Problem>>> = {
      'another app': (client) => client.post<Problem>('/api/auth/mfa/totp'),
      'new recovery codes': (client) => client.post<Problem>('/api/auth/mfa/recovery-codes'),
      'a passkey': (client) => client.post<Problem>('/api/auth/passkeys/options'),
      'a removal': (client, id) => client.delete<Problem>(`/api/auth/mfa/${id}`),
    };

    it.each(Object.keys(changes))('%s needs a recent second factor', async (name) => {
      const { client, username, totpId, secret } = await enrolled();
      // This session logged in with only the password, before the user had a second factor.
      expectProblem(await changes[name]!(client, totpId), 401, 'reauthentication_required');
      const code = await freshCode(service, secret);
      expect(outcome(await client.post<Problem>('/api/auth/reauthenticate', { method: 'totp', code }))).toBe('204');
      await service.query(
        `UPDATE session SET authenticated_at = now() - interval '1 hour', second_factor_at = now() - interval '1 hour'
         WHERE user_id = (SELECT id FROM user_account WHERE username = $1)`,
        [username],
      );
      const old = await service.another();
      const other = old.client();
      for (const [cookie, value] of client.jar) other.jar.set(cookie, value);
      expectProblem(await changes[name]!(other, totpId), 401, 'reauthentication_required');
      expect(await factorsOf(client)).toMatchObject({ items: [{ type: 'totp' }, { type: 'recovery' }] });
    });

    it('with a passkey challenge is limited by user, whatever it is for', async () => {
      const client = await service.signUp('asker');
      await service.set(passkeyOptionsPerMinutePerUser, 2);
      const ask = (path: string): Promise<Answer<Problem>> => client.post<Problem>(`/api/auth/${path}/options`);
      expect((await ask('reauthenticate')).status).toBe(200);
      expect((await ask('passkeys')).status).not.toBe(429);
      for (const path of ['passkeys', 'reauthenticate']) expectProblem(await ask(path), 429, 'rate_limited');
      await service.set(passkeyOptionsPerMinutePerUser, 30);
    });

    it('with a new app allows ten attempts, whatever app is confirmed', async () => {
      const client = await service.signUp('guesser');
      const begin = async (): Promise<{ path: string; secret: string }> => {
        const { body } = await client.post<{ id: string; secret: string }>('/api/auth/mfa/totp');
        return { path: `/api/auth/mfa/totp/${body.id}/confirm`, secret: body.secret };
      };
      const first = await begin();
      for (let count = 0; count < 10; count++) {
        expectProblem(await client.post<Problem>(first.path, { code: WRONG }), 400, 'code_invalid');
      }
      const next = await begin();
      expectProblem(await client.post<Problem>(next.path, { code: codeOf(next.secret) }), 429, 'account_locked');
      expect((await actionsOn(service, 'guesser')).filter((event) => event === 'factor.add failure')).toHaveLength(10);
    });

    it('without a second factor needs a recent login', async () => {
      await service.register('late');
      const client = await logInLongAgo(service, 'late');
      expectProblem(await client.post<Problem>('/api/auth/mfa/totp'), 401, 'reauthentication_required');
    });

    it('removes the recovery codes with the last factor', async () => {
      const { client, username, totpId, secret } = await enrolled();
      const code = await freshCode(service, secret);
      await client.post('/api/auth/reauthenticate', { method: 'totp', code });
      expect((await client.delete(`/api/auth/mfa/${totpId}`)).status).toBe(204);
      expect(await factorsOf(client)).toEqual({ items: [], required: false });
      expect((await firstStep(service.client(), username)).body.mfa_required).toBeUndefined();
      expect(await actionsOn(service, username)).toContain('factor.delete');
    });
  });

  describe('reauthentication', () => {
    it.each([
      [{ password: PASSWORD }, '204'],
      [{ method: 'totp', code: WRONG }, '400 code_invalid'],
      [{ method: 'passkey', response: {} }, '401 invalid_credentials'],
      [{}, '400 validation_failed'],
      [{ password: PASSWORD, method: 'totp', code: WRONG }, '400 validation_failed'],
    ])('returns for %j: %s', async (body, expected) => {
      const { client } = await enrolled();
      expect(outcome(await client.post<Problem>('/api/auth/reauthenticate', body))).toBe(expected);
    });

    it('with one factor counts as that factor only', async () => {
      const { client, username, secret, totpId } = await enrolled();
      await client.post('/api/auth/reauthenticate', { password: PASSWORD });
      expectProblem(await client.delete<Problem>(`/api/auth/mfa/${totpId}`), 401, 'reauthentication_required');
      await service.query(
        `UPDATE session SET authenticated_at = now() - interval '1 hour'
         WHERE user_id = (SELECT id FROM user_account WHERE username = $1)`,
        [username],
      );
      const code = await freshCode(service, secret);
      expect((await client.post('/api/auth/reauthenticate', { method: 'totp', code })).status).toBe(204);
      const proofs = await service.query(
        `SELECT outcome, target_type, after FROM audit_event
         WHERE action = 'session.reauthenticate' AND actor_name = $1 ORDER BY id`,
        [username],
      );
      expect(proofs).toEqual([
        { outcome: 'success', target_type: 'session', after: null },
        { outcome: 'success', target_type: 'session', after: { second_factor: 'totp' } },
      ]);
      expectProblem(await client.delete<Problem>(`/api/auth/mfa/${totpId}`), 401, 'reauthentication_required');
      await client.post('/api/auth/reauthenticate', { password: PASSWORD });
      expect((await client.delete(`/api/auth/mfa/${totpId}`)).status).toBe(204);
    });
  });

  describe('trusted device', () => {
    beforeAll(() => service.set(trustedDeviceDays, 30));
    afterAll(() => service.set(trustedDeviceDays, 0));

    it('skips the second factor at login but does not count as one for changes', async () => {
      const user = await enrolled();
      const browser = await trustedBy(service, user);
      expect(await isAsked(browser, user.username)).toBe(false);
      expectProblem(await browser.delete<Problem>(`/api/auth/mfa/${user.totpId}`), 401, 'reauthentication_required');
      expect(await isAsked(service.client(), user.username)).toBe(true);
    });

    it('is trusted only for the user who requested it, and for several users', async () => {
      const [ann, bob] = [await enrolled(), await enrolled()];
      const browser = await trustedBy(service, ann);
      expect(await isAsked(browser, bob.username)).toBe(true);
      await secondStep(browser, { method: 'totp', code: await freshCode(service, bob.secret), trust_device: true });
      expect(await isAsked(browser, bob.username)).toBe(false);
      expect(await isAsked(browser, ann.username)).toBe(false);
    });

    it('is listed and revoked only by its owner', async () => {
      const user = await enrolled();
      const browser = await trustedBy(service, user);
      const { body } = await user.client.get<{ items: { id: string }[] }>('/api/auth/mfa/trusted-devices');
      expect(body.items).toMatchObject([{ ip: browser.address, last_used_at: null }]);
      const path = `/api/auth/mfa/trusted-devices/${body.items[0]!.id}`;
      const eve = await service.signUp(`eve_${users++}`);
      expect((await eve.delete(path)).status).toBe(404);
      expect((await user.client.delete(path)).status).toBe(204);
      expect(await isAsked(browser, user.username)).toBe(true);
    });

    it.each([
      ['it has expired', `UPDATE mfa_trusted_device SET created_at = now() - interval '31 days'`],
      ['the password changes', 'UPDATE user_account SET password_version = password_version + 1'],
    ])('is no longer trusted once %s', async (_, sql) => {
      const user = await enrolled();
      const browser = await trustedBy(service, user);
      await service.query(sql);
      expect(await isAsked(browser, user.username)).toBe(true);
    });

    it('is no longer trusted once another app replaces the present one', async () => {
      const user = await enrolled();
      const browser = await trustedBy(service, user);
      await enrolTotp(browser);
      expect(await isAsked(browser, user.username)).toBe(true);
    });

    it('is no longer trusted once a factor is removed or the setting is off', async () => {
      const user = await enrolled();
      const browser = await trustedBy(service, user);
      await service.set(trustedDeviceDays, 0);
      expect(await isAsked(browser, user.username)).toBe(true);
      await service.set(trustedDeviceDays, 30);
      expect(await isAsked(browser, user.username)).toBe(false);
      const { items } = await factorsOf(browser);
      const code = await freshCode(service, user.secret);
      await browser.post('/api/auth/reauthenticate', { method: 'totp', code });
      expect((await browser.delete(`/api/auth/mfa/${items[1]!.id}`)).status).toBe(204);
      expect(await isAsked(browser, user.username)).toBe(true);
    });
  });

  describe('administrator', () => {
    it('removes all factors of a user and ends the sessions', async () => {
      const { username, client } = await enrolled();
      const { body: me } = await client.get<{ id: string }>('/api/auth/me');
      expect((await admin.delete(`/api/user/${me.id}/mfa`)).status).toBe(204);
      expect(await isLoggedIn(client)).toBe(false);
      await service.logIn(username, PASSWORD, client);
      expect(await factorsOf(client)).toEqual({ items: [], required: false });
      expect(await actionsOn(service, username)).toContain('user.reset_mfa');
    });

    it('cannot change a user with more permissions or the own factors', async () => {
      const { body: boss } = await admin.get<{ id: string }>('/api/auth/me');
      const lesser = await createUser(admin, 'lesser_admin', { password: PASSWORD, must_change_password: false });
      await admin.patch(`/api/user/${lesser.id}/permissions`, { add: [{ permission_id: 'user:admin' }] });
      const client = await service.logIn('lesser_admin');
      expectProblem(await client.delete<Problem>(`/api/user/${boss.id}/mfa`), 403, 'escalation_denied');
      expectProblem(await admin.delete<Problem>(`/api/user/${boss.id}/mfa`), 403, 'escalation_denied');
    });
  });

  describe('policy', () => {
    afterEach(() => service.set(mfaPolicy, 'optional'));

    it('off: requires no second factor and rejects enrolment', async () => {
      const { username } = await enrolled();
      await service.set(mfaPolicy, 'off');
      const browser = service.client();
      expect((await firstStep(browser, username)).body.mfa_required).toBeUndefined();
      expectProblem(await browser.post<Problem>('/api/auth/mfa/totp'), 403, 'mfa_disabled');
    });

    it('required: allows a user without a factor only to enrol', async () => {
      const client = await service.signUp('newcomer');
      await service.set(mfaPolicy, 'required');
      const shut = [
        await client.get<Problem>('/api/auth/sessions'),
        await client.get<Problem>('/api/auth/verify'),
        await client.patch<Problem>('/api/auth/me', { nickname: 'x' }),
        await client.post<Problem>('/api/auth/codes', { purpose: 'bind', channel: 'email', target: 'x@example.com' }),
        await client.put<Problem>('/api/auth/me/password', {
          current_password: PASSWORD,
          new_password: 'another pass phrase',
        }),
        await admin.get<Problem>('/api/user'),
      ];
      expect(shut.map(outcome)).toEqual(shut.map(() => '403 mfa_enrolment_required'));
      expect((await client.get('/api/auth/me')).status).toBe(200);
      expect((await client.post('/api/auth/refresh')).status).toBe(200);
      expect(await factorsOf(client)).toEqual({ items: [], required: true });
      await enrolTotp(client);
      expect((await client.get('/api/auth/sessions')).status).toBe(200);
      expect((await client.post('/api/auth/logout')).status).toBe(204);
    });

    it('of a role is relaxed only after a recent login, also by deleting the role', async () => {
      const { body: role } = await admin.post<{ id: string }>('/api/role', { name: 'guarded', mfa_required: true });
      const path = `/api/role/${role.id}`;
      await userWith(service, admin, 'easer', '*');
      const stale = await logInLongAgo(service, 'easer');
      const rejected = '401 reauthentication_required';
      expect(outcome(await stale.patch<Problem>(path, { mfa_required: false }))).toBe(rejected);
      expect(outcome(await stale.delete<Problem>(path))).toBe(rejected);
      expect((await stale.patch(path, { description: 'Kept' })).body).toMatchObject({ mfa_required: true });
      expect((await (await service.logIn('easer')).patch(path, { mfa_required: false })).status).toBe(200);
      expect((await stale.delete(path)).status).toBe(204);
    });

    it('optional: applies to members of a role that requires it immediately, system roles included', async () => {
      const client = await service.signUp('member');
      const { body: me } = await client.get<{ id: string }>('/api/auth/me');
      const role = await admin.post<{ id: string; mfa_required: boolean }>('/api/role', {
        name: 'keepers',
        mfa_required: true,
      });
      expect(role.body.mfa_required).toBe(true);
      expect((await client.get('/api/auth/sessions')).status).toBe(200);
      await admin.post(`/api/user/${me.id}/roles`, { role_ids: [role.body.id] });
      expectProblem(await client.get<Problem>('/api/auth/sessions'), 403, 'mfa_enrolment_required');
      await admin.patch(`/api/role/${role.body.id}`, { mfa_required: false });
      expect((await client.get('/api/auth/sessions')).status).toBe(200);

      const { body: found } = await admin.get<{ items: { id: string; name: string }[] }>('/api/role?keyword=user');
      const path = `/api/role/${found.items.find(({ name }) => name === 'user')!.id}`;
      const more = { mfa_required: true, description: 'x' };
      expectProblem(await admin.patch<Problem>(path, more), 403, 'system_role_protected');
      expect((await admin.patch(path, { mfa_required: true })).body).toMatchObject({ mfa_required: true });
      expectProblem(await client.get<Problem>('/api/auth/sessions'), 403, 'mfa_enrolment_required');
      await enrolTotp(admin);
      expect((await admin.patch(path, { mfa_required: false })).status).toBe(200);
    });
  });
});
