import { mfaPolicy, trustedDeviceDays } from '../../src/mfa';
import { MfaCleanupJob } from '../../src/mfa/mfa-cleanup.job';
import { DomainEvents } from '../../src/platform/jobs/events';
import { accountChanged, AccountEvent } from '../../src/users';
import { expectProblem } from '../support/service/expect-problem';
import { SoftAuthenticator } from '../support/accounts/soft-authenticator';
import {
  codeOf,
  Enrolled,
  firstStep,
  freshCode,
  isAsked,
  outcome,
  secondStep,
  signUpEnrolled,
  trustedBy,
} from '../support/accounts/second-factors';
import type { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';

interface Begun {
  readonly id: string;
  readonly secret: string;
}

describe('second factors', () => {
  let service: TestService;
  let admin: TestClient;
  let users = 0;
  const events: AccountEvent[] = [];

  beforeAll(async () => {
    service = await TestService.start();
    admin = await service.admin();
    service.app.get(DomainEvents, { strict: false }).on(accountChanged, async (event) => {
      events.push(event);
    });
  });

  afterAll(() => service.stop());
  afterEach(() => service.set(trustedDeviceDays, trustedDeviceDays.defaultValue));

  const enrolled = (): Promise<Enrolled> => signUpEnrolled(service, `ending_${users++}`);
  const newcomer = (): Promise<TestClient> => service.signUp(`ending_${users++}`);
  const begin = async (client: TestClient): Promise<Begun> => (await client.post<Begun>('/api/auth/mfa/totp')).body;
  const confirm = (client: TestClient, { id, secret }: Begun): Promise<Answer<Problem>> =>
    client.post<Problem>(`/api/auth/mfa/totp/${id}/confirm`, { code: codeOf(secret) });

  describe('an unconfirmed authenticator app', () => {
    it('expires after ten minutes', async () => {
      const client = await newcomer();
      const begun = await begin(client);
      const age = (minutes: number): Promise<unknown> =>
        service.query(`UPDATE mfa_totp SET created_at = now() - make_interval(mins => $2) WHERE id = $1`, [
          begun.id,
          minutes,
        ]);
      await age(11);
      expectProblem(await confirm(client, begun), 404, 'not_found');
      await age(9);
      expect(outcome(await confirm(client, begun))).toBe('200');
    });

    it('cannot be confirmed once second factors are disabled', async () => {
      const client = await newcomer();
      const begun = await begin(client);
      await service.set(mfaPolicy, 'off');
      expectProblem(await confirm(client, begun), 403, 'mfa_disabled');
      await service.set(mfaPolicy, mfaPolicy.defaultValue);
      expect(outcome(await confirm(client, begun))).toBe('200');
    });

    it('that cannot be decrypted counts no attempt', async () => {
      const client = await newcomer();
      const begun = await begin(client);
      await service.query(`UPDATE mfa_totp SET secret = 'enc:v1:test:AAAA:AAAA:AAAA' WHERE id = $1`, [begun.id]);
      for (let count = 0; count < 10; count++) expect((await confirm(client, begun)).status).toBe(500);
      expect(outcome(await confirm(client, await begin(client)))).toBe('200');
    });
  });

  it('create recovery codes only for a user with a factor', async () => {
    const client = await newcomer();
    expectProblem(await client.post<Problem>('/api/auth/mfa/recovery-codes'), 403, 'mfa_enrolment_required');
  });

  it('notify the owner of a used recovery code, but not of a used app', async () => {
    const { username, secret, recoveryCodes } = await enrolled();
    const notified = (): string[] => events.filter(({ user }) => user.username === username).map(({ type }) => type);
    events.length = 0;
    const [one, other] = [service.client(), service.client()];
    await firstStep(one, username);
    expect(outcome(await secondStep(one, { method: 'totp', code: await freshCode(service, secret) }))).toBe('200');
    expect(notified()).not.toContain('second_factor_changed');
    await firstStep(other, username);
    expect(outcome(await secondStep(other, { method: 'recovery', code: recoveryCodes[0] }))).toBe('200');
    expect(notified()).toContain('second_factor_changed');
  });

  it('remove the oldest of more than a hundred trusted devices, so that every one is listed', async () => {
    await service.set(trustedDeviceDays, 30);
    const user = await enrolled();
    const oldest = await trustedBy(service, user);
    const idOf = (number: string): string => `('00000000-0000-7000-8000-' || lpad(${number}, 12, '0'))::uuid`;
    const [row] = await service.query<{ user_id: string }>(
      `UPDATE mfa_trusted_device SET id = ${idOf(`'1'`)}
       WHERE user_id = (SELECT id FROM user_account WHERE username = $1) RETURNING user_id`,
      [user.username],
    );
    await service.query(
      `INSERT INTO mfa_trusted_device (id, user_id, token_hash, password_version, ip, user_agent, device)
       SELECT ${idOf('number::text')}, user_id, 'younger ' || number, password_version, ip, user_agent, device
       FROM mfa_trusted_device, generate_series(2, 100) AS number WHERE user_id = $1`,
      [row!.user_id],
    );
    expect(await isAsked(oldest, user.username)).toBe(false);
    const youngest = await trustedBy(service, user);
    expect([await isAsked(oldest, user.username), await isAsked(youngest, user.username)]).toEqual([true, false]);
  });

  it('lose all passkeys, trusted devices and pending logins in a reset by an administrator', async () => {
    await service.set(trustedDeviceDays, 30);
    const user = await enrolled();
    const [authenticator, waiting] = [new SoftAuthenticator(), service.client()];
    const browser = await trustedBy(service, user);
    const options = await browser.post<Parameters<SoftAuthenticator['make']>[0]>('/api/auth/passkeys/options');
    const response = authenticator.make(options.body);
    expect((await browser.post('/api/auth/passkeys', { name: 'Key', response })).status).toBe(201);
    await firstStep(waiting, user.username);
    const { body } = await user.client.get<{ id: string }>('/api/auth/me');
    expect((await admin.delete(`/api/user/${body.id}/mfa`)).status).toBe(204);
    expectProblem(await waiting.get<Problem>('/api/auth/login/mfa'), 401, 'temp_token_invalid');
    for (const table of ['mfa_totp', 'mfa_passkey', 'mfa_recovery_set', 'mfa_trusted_device', 'mfa_pending_login']) {
      expect([table, await service.query(`SELECT 1 FROM ${table} WHERE user_id = $1`, [body.id])]).toEqual([table, []]);
    }
  });

  describe('trusted devices', () => {
    it('belong to at most five accounts in one browser, the newest ones', async () => {
      await service.set(trustedDeviceDays, 30);
      const people: Enrolled[] = [];
      for (let count = 0; count < 6; count++) people.push(await enrolled());
      const browser = service.client();
      for (const person of people) await trustedBy(service, person, browser);
      const asked: boolean[] = [];
      for (const { username } of people) asked.push(await isAsked(browser, username));
      expect(asked).toEqual([true, false, false, false, false, false]);
    });

    it('are audited when revoked', async () => {
      await service.set(trustedDeviceDays, 30);
      const user = await enrolled();
      await trustedBy(service, user);
      const { body } = await user.client.get<{ items: { id: string }[] }>('/api/auth/mfa/trusted-devices');
      expect((await user.client.delete(`/api/auth/mfa/trusted-devices/${body.items[0]!.id}`)).status).toBe(204);
      const written = await service.query(
        `SELECT before->>'id' AS id FROM audit_event WHERE action = 'trusted_device.revoke' AND target_label = $1`,
        [user.username],
      );
      expect(written).toEqual([{ id: body.items[0]!.id }]);
    });
  });

  it('are deleted after expiry and not before', async () => {
    await service.set(trustedDeviceDays, 30);
    const user = await enrolled();
    const counts = (): Promise<unknown> =>
      service.query(
        `SELECT (SELECT count(*) FROM mfa_passkey_challenge)::int AS challenges,
           (SELECT count(*) FROM mfa_pending_login)::int AS logins,
           (SELECT count(*) FROM mfa_trusted_device)::int AS devices`,
      );
    const twoOfEach = async (): Promise<void> => {
      for (let turn = 0; turn < 2; turn++) {
        await trustedBy(service, user);
        await firstStep(service.client(), user.username);
        await service.client().post('/api/auth/login/passkey/options');
      }
    };
    await service.query('DELETE FROM mfa_passkey_challenge');
    await service.query('DELETE FROM mfa_pending_login');
    await service.query('DELETE FROM mfa_trusted_device');
    await twoOfEach();
    await service.query(`UPDATE mfa_passkey_challenge SET expires_at = now() - interval '1 second'`);
    await service.query(`UPDATE mfa_pending_login SET expires_at = now() - interval '1 second'`);
    await service.query(`UPDATE mfa_trusted_device SET created_at = now() - interval '366 days'`);
    await twoOfEach();
    await service.query(
      `UPDATE mfa_trusted_device SET created_at = now() - interval '364 days' WHERE created_at > now() - interval '1 day'`,
    );
    await service.app.get(MfaCleanupJob, { strict: false }).clean();
    expect(await counts()).toEqual([{ challenges: 2, logins: 2, devices: 2 }]);
  });
});
