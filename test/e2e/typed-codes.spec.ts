import { codeOf, firstStep, freshCode, outcome, secondStep, signUpEnrolled } from '../support/accounts/second-factors';
import { testMessages, WITH_POST_OFFICE } from '../support/receivers/test-messages';
import type { Problem } from '../support/service/test-client';
import type { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const EMAIL = 'ann@example.com';

describe('codes typed in groups, as they are shown', () => {
  let service: TestService;

  withService((started) => {
    service = started;
  }, WITH_POST_OFFICE);

  const grouped = (code: string): string => `${code.slice(0, 3)} ${code.slice(3)}`;

  it('of an app confirm it and complete a login', async () => {
    const client = await service.signUp('typing');
    const begun = await client.post<{ id: string; secret: string }>('/api/auth/mfa/totp');
    const { id, secret } = begun.body;
    const code = grouped(codeOf(secret));
    expect(outcome(await client.post<Problem>(`/api/auth/mfa/totp/${id}/confirm`, { code }))).toBe('200');

    const browser = service.client();
    const { mfa_token } = (await firstStep(browser, 'typing')).body;
    const step = { mfa_token, method: 'totp', code: grouped(await freshCode(service, secret)) };
    expect(outcome(await secondStep(browser, step))).toBe('200');
  });

  it('of a recovery set are accepted in any case, with spaces for hyphens', async () => {
    const { recoveryCodes } = await signUpEnrolled(service, 'writing');
    const browser = service.client();
    const { mfa_token } = (await firstStep(browser, 'writing')).body;
    const code = (recoveryCodes[0] ?? '').toUpperCase().replaceAll('-', ' ');
    expect(outcome(await secondStep(browser, { mfa_token, method: 'recovery', code }))).toBe('200');
  });

  it('of a message register an address', async () => {
    const body = { purpose: 'register', channel: 'email', target: EMAIL };
    expect((await service.client().post('/api/auth/codes', body)).status).toBe(202);
    const account = { username: 'receiving', password: 'four words of mine', email: EMAIL };
    const answer = await service.client().post<{ user: { email_verified: boolean } }>('/api/auth/register', {
      ...account,
      email_code: grouped(testMessages.code(EMAIL)),
    });
    expect([answer.status, answer.body.user.email_verified]).toEqual([201, true]);
  });
});
