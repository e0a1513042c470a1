import { availableParallelism } from 'node:os';
import { PasswordHasher } from '../../src/platform/crypto';
import { Answer, Problem } from '../support/test-client';
import { eventually, PASSWORD, TestService } from '../support/test-service';

/** Judgements of hashes of another system last until the test ends them. */
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
/** As many as would take every place, were there one queue for all hashes. */
const GUESSES = availableParallelism() + 1;

describe('guesses at hashes of another system', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start();
  });

  afterAll(() => service.stop());

  const logIn = (username: string, password: string): Promise<Answer<Problem>> =>
    service.client().post<Problem>('/api/auth/login', { type: 'password', username, password });

  it('keep no other login waiting, however long they are judged', async () => {
    const imported = Array.from({ length: GUESSES }, (_, turn) => `imported_${turn}`);
    for (const name of [...imported, 'ann']) await service.register(name);
    await service.query(`UPDATE user_account SET password_hash = $1 WHERE username LIKE 'imported%'`, [FOREIGN]);
    const verify = jest.spyOn(service.app.get(PasswordHasher, { strict: false }), 'verify');
    const guesses = imported.map((name) => logIn(name, 'a wrong guess'));
    await eventually(
      async () => verify.mock.calls.filter(([, stored]) => stored === FOREIGN).length,
      (begun) => begun === GUESSES,
    );
    expect((await logIn('ann', PASSWORD)).status).toBe(200);
    mockIsHeld = false;
    for (const end of mockWaiting.splice(0)) end();
    for (const { status } of await Promise.all(guesses)) expect(status).toBe(401);
  });
});
