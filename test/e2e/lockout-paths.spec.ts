import { SessionsService } from '../../src/session';
import { lockoutThreshold } from '../../src/auth/login/lockout.settings';
import { expectProblem } from '../support/service/expect-problem';
import { accessOf } from '../support/accounts/session-tokens';
import { outcome } from '../support/accounts/second-factors';
import type { Answer, Problem, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const WRONG = 'not the password at all';
const NEW = 'another good pass phrase';
const NEWER = 'one more good pass phrase';

describe('brute-force protection of every path that verifies a password', () => {
  let service: TestService;

  withService((started) => {
    service = started;
  });

  const paths: Record<string, (client: TestClient, username: string, password: string) => Promise<Answer<Problem>>> = {
    login: (client, username, password) =>
      client.post<Problem>('/api/auth/login', { type: 'password', username, password }),
    reauthenticate: (client, _, password) => client.post<Problem>('/api/auth/reauthenticate', { password }),
    'password change': (client, _, password) =>
      client.put<Problem>('/api/auth/me/password', {
        current_password: password,
        new_password: password === NEW ? NEWER : NEW,
      }),
  };
  const failures: Record<string, string> = {
    login: '401 invalid_credentials',
    reauthenticate: '401 invalid_credentials',
    'password change': '400 password_incorrect',
  };
  const names = Object.keys(paths);

  const attempt = (path: string, client: TestClient, username: string, password: string): Promise<Answer<Problem>> =>
    paths[path]!(client, username, password);

  const passwordOf = async (username: string): Promise<unknown> =>
    (await service.query('SELECT password_hash FROM user_account WHERE username = $1', [username]))[0];

  it.each(names)('%s: locks all paths after ten wrong passwords, also for the right password', async (path) => {
    const username = `locked_by_${path.replace(' ', '_')}`;
    const client = await service.signUp(username);
    const before = await passwordOf(username);
    for (let count = 0; count < 10; count++) {
      expect(outcome(await attempt(path, client, username, WRONG))).toBe(failures[path]);
    }
    for (const other of names) {
      const answer = await attempt(other, client, username, PASSWORD);
      expectProblem(answer, 429, 'account_locked');
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(await passwordOf(username)).toEqual(before);
    expect((await client.get('/api/auth/me')).status).toBe(200);
  });

  it('counts the failures of all of them together', async () => {
    const client = await service.signUp('together');
    for (let round = 0; round < 3; round++) {
      for (const path of names) expect(outcome(await attempt(path, client, 'together', WRONG))).toBe(failures[path]);
    }
    await attempt('reauthenticate', client, 'together', WRONG);
    for (const path of names) {
      expectProblem(await attempt(path, client, 'together', PASSWORD), 429, 'account_locked');
    }
  });

  it('counts attempts with a stolen access token for the account, not for the owner’s known device', async () => {
    const owner = await service.signUp('stolen_token');
    const thief = service.client();
    thief.jar.set('iam_access', accessOf(owner));
    for (let count = 0; count < 10; count++) await attempt('reauthenticate', thief, 'stolen_token', WRONG);
    expectProblem(await attempt('reauthenticate', thief, 'stolen_token', PASSWORD), 429, 'account_locked');
    expect(outcome(await attempt('reauthenticate', owner, 'stolen_token', PASSWORD))).toBe('204');
  });

  it('ends a device cookie with a password change, so that it counts for the account', async () => {
    const owner = await service.signUp('changed');
    const old = service.client();
    old.jar.set('iam_device', owner.jar.get('iam_device') ?? '');
    const { status } = await owner.put('/api/auth/me/password', { current_password: PASSWORD, new_password: NEW });
    expect(status).toBe(204);
    for (let count = 0; count < 10; count++) await attempt('login', service.client(), 'changed', WRONG);
    expectProblem(await attempt('login', old, 'changed', NEW), 429, 'account_locked');
  });

  it('keeps the browser that changes the password a known device', async () => {
    const owner = await service.signUp('changes_here');
    const { setCookies } = await attempt('password change', owner, 'changes_here', PASSWORD);
    expect(setCookies).toMatchObject([expect.stringMatching(/^iam_device=.*; Max-Age=34560000;/)]);
    for (let count = 0; count < 10; count++) await attempt('login', service.client(), 'changes_here', WRONG);
    expectProblem(await attempt('login', service.client(), 'changes_here', NEW), 429, 'account_locked');
    expect(outcome(await attempt('login', owner, 'changes_here', NEW))).toBe('200');
  });

  it('makes the new device cookie a session cookie in a browser that is not to be remembered', async () => {
    await service.register('passing_by');
    const browser = service.client();
    await browser.post('/api/auth/login', {
      type: 'password',
      username: 'passing_by',
      password: PASSWORD,
      remember: false,
    });
    const { setCookies } = await attempt('password change', browser, 'passing_by', PASSWORD);
    expect(setCookies).toHaveLength(1);
    expect(setCookies[0]).not.toMatch(/max-age|expires/i);
  });

  it('reports a changed password as changed even when the device cookie cannot be set', async () => {
    const owner = await service.signUp('stumbles_after');
    const failing = jest.spyOn(SessionsService.prototype, 'isRemembered').mockRejectedValue(new Error('away'));
    try {
      expect(outcome(await attempt('password change', owner, 'stumbles_after', PASSWORD))).toBe('204');
      expect(failing).toHaveBeenCalledTimes(1);
    } finally {
      failing.mockRestore();
    }
  });

  it('sets no device cookie in an unknown browser on a password change', async () => {
    const owner = await service.signUp('changes_there');
    const other = service.client();
    other.jar.set('iam_access', accessOf(owner));
    const { status, setCookies } = await attempt('password change', other, 'changes_there', PASSWORD);
    expect([status, setCookies]).toEqual([204, []]);
  });

  it.each(names.slice(1))('%s: limits parallel wrong passwords', async (path) => {
    const username = `parallel_${path.replace(' ', '_')}`;
    const client = await service.signUp(username);
    const answers = await Promise.all(Array.from({ length: 40 }, () => attempt(path, client, username, WRONG)));
    const outcomes = answers.map(outcome);
    expect(outcomes.filter((one) => one === failures[path])).toHaveLength(10);
    expect(outcomes.filter((one) => one === '429 account_locked')).toHaveLength(30);
  });

  it.each(names.slice(1))('%s: clears the failures after a right password', async (path) => {
    await service.set(lockoutThreshold, 3);
    try {
      const username = `clears_${path.replace(' ', '_')}`;
      const client = await service.signUp(username);
      for (const password of [PASSWORD, path === 'reauthenticate' ? PASSWORD : NEW]) {
        for (let count = 0; count < 2; count++) {
          expect(outcome(await attempt(path, client, username, WRONG))).toBe(failures[path]);
        }
        expect(outcome(await attempt(path, client, username, password))).toBe('204');
      }
    } finally {
      await service.set(lockoutThreshold, lockoutThreshold.defaultValue);
    }
  });

  it('records rejected logins without the entered values', async () => {
    await service.register('audited');
    const client = service.client();
    await attempt('login', client, 'audited', 'a secret typed wrongly');
    await attempt('login', client, 'secret_as_name', WRONG);
    const events = await service.query(
      `SELECT * FROM audit_event WHERE action = 'login' AND outcome = 'failure' AND ip = $1 ORDER BY id`,
      [client.address],
    );
    expect(events).toMatchObject([
      { target_type: 'user', target_label: 'audited', actor_id: null, session_id: null },
      { target_id: null, target_label: null },
    ]);
    expect(JSON.stringify(events)).not.toMatch(/secret/);
  });

  it('records the right password of a disabled user', async () => {
    await service.register('shut_out');
    await service.query(`UPDATE user_account SET status = 'disabled' WHERE username = 'shut_out'`);
    const client = service.client();
    expectProblem(await attempt('login', client, 'shut_out', PASSWORD), 403, 'user_disabled');
    const events = await service.query('SELECT * FROM audit_event WHERE ip = $1', [client.address]);
    expect(events).toMatchObject([
      {
        action: 'login',
        outcome: 'failure',
        target_type: 'user',
        target_label: 'shut_out',
        after: { method: 'password', code: 'user_disabled' },
      },
    ]);
  });
});
