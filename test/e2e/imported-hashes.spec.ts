import { availableParallelism } from 'node:os';
import { PasswordHasher } from '../../src/platform/crypto';
import { Answer, Problem } from '../support/service/test-client';
import { eventually, PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

/** The exports, which can be replaced, unlike those of an import. */
const bcrypt = jest.requireActual<typeof import('@node-rs/bcrypt')>('@node-rs/bcrypt');

/** Verification of imported hashes stays pending until the test ends it. */
const waiting: (() => void)[] = [];
let isHeld = true;

function hold(): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (): void => {
      resolve(false);
    };
    if (isHeld) waiting.push(end);
    else end();
  });
}

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
    jest.spyOn(bcrypt, 'verify').mockImplementation(hold);
    const verify = jest.spyOn(service.app.get(PasswordHasher, { strict: false }), 'verify');
    const attempts = imported.map((name) => logIn(name, 'a wrong guess'));
    await eventually(
      async () => verify.mock.calls.filter(([, stored]) => stored === FOREIGN).length,
      (begun) => begun === ATTEMPTS,
    );
    expect((await logIn('ann', PASSWORD)).status).toBe(200);
    expect(waiting.length).toBeGreaterThan(0);
    isHeld = false;
    for (const end of waiting.splice(0)) end();
    for (const { status } of await Promise.all(attempts)) expect(status).toBe(401);
  });
});
