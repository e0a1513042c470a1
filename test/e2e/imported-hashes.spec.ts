import { availableParallelism } from 'node:os';
import { PasswordHasher } from '../../src/platform/crypto';
import { Answer, Problem } from '../support/test-client';
import { eventually, PASSWORD, TestService } from '../support/test-service';
import { withService } from '../support/with-service';

/** Verification of imported hashes stays pending until the test ends it. */
const mockWaiting: (() => void)[] = [];
let mockIsHeld = true;
jest.mock('@node-rs/bcrypt', () => ({
  verify: () =>
    new Promise<boolean>((resolve) => {
      const end = (): void => {
        resolve(false);
      };
      if (mockIsHeld) mockWaiting.push(end);
      else end();
    }),
}));

const FOREIGN = `$2b$15$${'a'.repeat(22)}${'b'.repeat(31)}`;
/** Enough attempts to fill the queue, if all hashes shared one. */
const ATTEMPTS = availableParallelism() + 1;

describe('login attempts against imported hashes', () => {
  let service: TestService;

  withService((started) => {
    service = started;
  });

  const logIn = (username: string, password: string): Promise<Answer<Problem>> =>
    service.client().post<Problem>('/api/auth/login', { type: 'password', username, password });

  it('do not delay other logins, however long the verification takes', async () => {
    const imported = Array.from({ length: ATTEMPTS }, (_, turn) => `imported_${turn}`);
    for (const name of [...imported, 'ann']) await service.register(name);
    await service.query(`UPDATE user_account SET password_hash = $1 WHERE username LIKE 'imported%'`, [FOREIGN]);
    const verify = jest.spyOn(service.app.get(PasswordHasher, { strict: false }), 'verify');
    const attempts = imported.map((name) => logIn(name, 'a wrong guess'));
    await eventually(
      async () => verify.mock.calls.filter(([, stored]) => stored === FOREIGN).length,
      (begun) => begun === ATTEMPTS,
    );
    expect((await logIn('ann', PASSWORD)).status).toBe(200);
    mockIsHeld = false;
    for (const end of mockWaiting.splice(0)) end();
    for (const { status } of await Promise.all(attempts)) expect(status).toBe(401);
  });
});
