import { withCodes } from '../support/accounts/codes';
import { expectProblem } from '../support/service/expect-problem';
import {
  codeOf,
  Enrolled,
  firstStep,
  freshCode,
  outcome,
  secondStep,
  signUpEnrolled,
} from '../support/accounts/second-factors';
import type { Answer, Problem, TestClient } from '../support/service/test-client';
import type { TestService } from '../support/service/test-service';

describe('a login in two steps', () => {
  let service: TestService;
  let users = 0;

  // The codes keep the password from being the last method, which cannot be disabled.
  withCodes((started) => {
    service = started;
  });

  const enrolled = (): Promise<Enrolled> => signUpEnrolled(service, `two_steps_${users++}`);

  it('rejects the right token with a made-up browser part of the cookie', async () => {
    const { username, secret } = await enrolled();
    const browser = service.client();
    const { mfa_token } = (await firstStep(browser, username)).body;
    const code = await freshCode(service, secret);
    const thief = service.client();
    thief.jar.set('iam_mfa', `${mfa_token}~${'A'.repeat(43)}`);
    expect(browser.jar.get('iam_mfa')).toMatch(new RegExp(`^${mfa_token}~[\\w-]{43}$`));
    for (const body of [
      { method: 'totp', code },
      { mfa_token, method: 'totp', code },
    ]) {
      expectProblem(await secondStep(thief, body), 401, 'temp_token_invalid');
    }
    expectProblem(await thief.get<Problem>('/api/auth/login/mfa'), 401, 'temp_token_invalid');
    expect(outcome(await secondStep(browser, { method: 'totp', code }))).toBe('200');
  });

  it('rejects the code that confirmed the authenticator app', async () => {
    const username = `two_steps_${users++}`;
    const client = await service.signUp(username);
    const { body } = await client.post<{ id: string; secret: string }>('/api/auth/mfa/totp');
    const code = codeOf(body.secret);
    expect((await client.post(`/api/auth/mfa/totp/${body.id}/confirm`, { code })).status).toBe(200);
    const browser = service.client();
    await firstStep(browser, username);
    expectProblem(await secondStep(browser, { method: 'totp', code }), 400, 'code_invalid');
    expect(outcome(await secondStep(browser, { method: 'totp', code: codeOf(body.secret, 1) }))).toBe('200');
  });

  it('offers recovery codes until the last one is used', async () => {
    const { username, secret, recoveryCodes } = await enrolled();
    const methods = async (): Promise<unknown> => (await firstStep(service.client(), username)).body.methods;
    expect(recoveryCodes).toHaveLength(10);
    for (const [used, code] of recoveryCodes.entries()) {
      expect([used, await methods()]).toEqual([used, ['totp', 'recovery']]);
      const browser = service.client();
      await firstStep(browser, username);
      expect(outcome(await secondStep(browser, { method: 'recovery', code }))).toBe('200');
    }
    expect(await methods()).toEqual(['totp']);
    const browser = service.client();
    await firstStep(browser, username);
    const code = await freshCode(service, secret);
    expect(outcome(await secondStep(browser, { method: 'totp', code }))).toBe('200');
  });

  it('rejects the second step of a method that was disabled after the first', async () => {
    const { username, secret } = await enrolled();
    const browser = service.client();
    await firstStep(browser, username);
    const admin = await service.admin();
    const enable = (enabled: boolean): Promise<Answer> => admin.patch('/api/login-method/password', { enabled });
    const code = await freshCode(service, secret);
    const step = async (client: TestClient): Promise<string> =>
      outcome(await secondStep(client, { method: 'totp', code }));
    expect((await enable(false)).status).toBe(200);
    expect(await step(browser)).toBe('403 login_method_disabled');
    expect((await enable(true)).status).toBe(200);
    expect(await step(browser)).toBe('200');
  });
});
