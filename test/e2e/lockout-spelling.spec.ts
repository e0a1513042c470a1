import { outcome } from '../support/accounts/second-factors';
import type { Answer, Problem } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { expectProblem } from '../support/service/expect-problem';
import { withService } from '../support/service/with-service';

describe('lockout by spelling of an identifier', () => {
  let service: TestService;

  withService((started) => {
    service = started;
  });

  const attempt = (username: string): Promise<Answer<Problem>> =>
    service.client().post<Problem>('/api/auth/login', { type: 'password', username, password: 'not the password' });

  it.each([
    { name: 'kbackup', other: 'KBackup', isSame: true },
    { name: 'kserver', other: '\u212aserver', isSame: true },
    { name: 'kcyrillic', other: '\u043acyrillic', isSame: false },
    { name: 'kind@xn--exmple-cua.com', other: 'Kind@EXÄMPLE.com', isSame: true },
    { name: 'kin@example.com', other: '\u212ain@example.com', isSame: true },
    { name: 'kim@example.com', other: '\u043aim@example.com', isSame: false },
    { name: '+8613800138111', other: '+86 138-0013 8111', isSame: true },
  ])(
    'counts $other together with $name: $isSame, whether an account exists or not',
    async ({ name, other, isSame }) => {
      const outcomes: string[] = [];
      for (const isKnown of [false, true]) {
        const username =
          name.includes('@') || name.startsWith('+') ? `spelled_${isSame}_${name.length}_${name.charCodeAt(2)}` : name;
        if (isKnown) {
          await service.register(username, {
            ...(name.includes('@') && { email: name }),
            ...(name.startsWith('+') && { phone: name }),
          });
          await service.query(
            `UPDATE user_account SET email_verified = email IS NOT NULL, phone_verified = phone IS NOT NULL WHERE username = $1`,
            [username],
          );
        }
        for (let count = 0; count < 10; count++) expectProblem(await attempt(name), 401, 'invalid_credentials');
        expectProblem(await attempt(name), 429, 'account_locked');
        outcomes.push(outcome(await attempt(other)));
      }
      const expected = isSame ? '429 account_locked' : '401 invalid_credentials';
      expect(outcomes).toEqual([expected, expected]);
    },
  );

  it.each([
    { name: 'kept.name', other: 'Kept.Name' },
    { name: 'kept name', other: ' KEPT NAME' },
    { name: 'kept@inside', other: 'KEPT@Inside' },
    { name: 'k\u00e9pt', other: 'KE\u0301PT' },
  ])('counts $other together with $name from before an import, whether it exists or not', async ({ name, other }) => {
    const outcomes: string[] = [];
    for (const isKnown of [false, true]) {
      if (isKnown) {
        await service.register('kept');
        await service.query(
          `UPDATE user_account SET former_username = $1, former_username_key = $1 WHERE username = 'kept'`,
          [name],
        );
      }
      for (let count = 0; count < 10; count++) expectProblem(await attempt(name), 401, 'invalid_credentials');
      outcomes.push(outcome(await attempt(other)));
      await service.query(`DELETE FROM user_account WHERE username = 'kept'`);
    }
    expect(outcomes).toEqual(['429 account_locked', '429 account_locked']);
  });
});
