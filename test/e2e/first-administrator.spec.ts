import { EnvironmentError } from '../../src/platform/config';
import { expectProblem } from '../support/service/expect-problem';
import { itOnServer } from '../support/service/on-server';
import { Problem } from '../support/service/test-client';
import { ADMIN, IN_PRODUCTION, PASSWORD, TestService, TestServiceOptions } from '../support/service/test-service';
import { withServicePerTest } from '../support/service/with-service';

interface Credentials {
  readonly username: string;
  readonly password: string;
}

describe('first administrator', () => {
  let service: TestService;

  withServicePerTest((started) => {
    service = started;
  });

  const administrators = (): Promise<{ username: string; roles: string[] }[]> =>
    service.query(
      `SELECT username, array_agg(role.name::text ORDER BY role.name) AS roles FROM user_account
       JOIN user_role ON user_id = user_account.id JOIN role ON role.id = role_id
       GROUP BY username HAVING 'admin' = ANY(array_agg(role.name::text))`,
    );
  const deleteAdmin = (): Promise<unknown> =>
    service.query('DELETE FROM user_account WHERE username = $1', [ADMIN.username]);
  /** Starts another instance on the database and collects the credentials it announces. */
  const startAgain = async (
    environment: Record<string, string> = {},
  ): Promise<{ again: TestService; announced: Credentials[] }> => {
    const announced: Credentials[] = [];
    const identity = { onFirstAdministrator: (told: Credentials): void => void announced.push(told) };
    const options: TestServiceOptions = { environment: { ADMIN_PASSWORD: '', ...environment }, identity };
    return { again: await service.another(options), announced };
  };

  it('gets name and password from the environment and every permission', async () => {
    const admin = await service.admin();
    const { body } = await admin.get<{ permissions: unknown[] }>('/api/auth/me');
    expect(body).toMatchObject({ username: ADMIN.username, status: 'active', has_password: true });
    expect(body.permissions).toEqual([
      { scope: '*', permission_id: '*:*', level: 7 },
      { scope: 'iam', permission_id: 'profile:read', level: 1 },
      { scope: 'iam', permission_id: 'profile:update', level: 3 },
    ]);
    expect(await administrators()).toEqual([{ username: ADMIN.username, roles: ['admin', 'user'] }]);
    expect(service.logLines.join('\n')).not.toContain(ADMIN.password);
    const events = await service.query(
      `SELECT after FROM audit_event WHERE action = 'user.create' AND target_label = $1`,
      [ADMIN.username],
    );
    expect(events).toEqual([{ after: { source: 'first administrator', roles: ['admin', 'user'] } }]);
  });

  it('has no common password', async () => {
    for (const password of ['admin', 'password', 'admin123', '123456', 'changeme', '', 'castellan']) {
      const credentials = { type: 'password', username: ADMIN.username, password };
      const answer = await service.client().post<Problem>('/api/auth/login', credentials);
      expectProblem(answer, 401, 'invalid_credentials');
    }
  });

  it('gets a generated password that is announced once and not logged when none is configured', async () => {
    await deleteAdmin();
    const { again, announced } = await startAgain();
    expect(announced).toEqual([{ username: ADMIN.username, password: expect.any(String) as string }]);
    const password = announced[0]?.password ?? '';
    expect(password).toMatch(/^(?:[a-z2-9]{4}-){6}[a-z2-9]{4}$/);
    expect(again.logLines.join('\n')).not.toContain(password);
    await again.logIn(ADMIN.username, password);

    const second = await startAgain();
    expect(second.announced).toEqual([]);
    await second.again.logIn(ADMIN.username, password);
    expect(await administrators()).toHaveLength(1);
  });

  it('is created only when there is none, whatever the environment contains later', async () => {
    const { again, announced } = await startAgain({ ADMIN_USERNAME: 'somebody', ADMIN_PASSWORD: 'another password' });
    expect(announced).toEqual([]);
    expect(await administrators()).toEqual([{ username: ADMIN.username, roles: ['admin', 'user'] }]);
    await expect(again.logIn(ADMIN.username, 'another password')).rejects.toThrow('invalid_credentials');
    await again.admin();
  });

  it('is never made from an existing user with that name', async () => {
    await deleteAdmin();
    await service.register(ADMIN.username.toUpperCase());
    const { again, announced } = await startAgain();
    expect(announced).toEqual([]);
    expect(await administrators()).toEqual([]);
    expect(again.logLines.filter((line) => line.includes('ADMIN_USERNAME'))).toHaveLength(1);
    await again.logIn(ADMIN.username, PASSWORD);
  });

  it.each([
    ['short', '1234567'],
    ['common', '12345678'],
    ['the username', 'ADMIN_of_tests'],
    ['too long', 'x'.repeat(257)],
  ])('ends the start when the configured password is %s', async (_, password) => {
    await deleteAdmin();
    const starting = startAgain({ ADMIN_USERNAME: 'admin_of_TESTS', ADMIN_PASSWORD: password });
    const failure = await starting.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EnvironmentError);
    expect((failure as Error).message).toMatch(/^ADMIN_PASSWORD breaks the password rules; allowed: [^\n]+$/);
    expect((failure as Error).message).not.toContain(password);
    expect(await administrators()).toEqual([]);
  });

  itOnServer('is created once when several instances start concurrently', async () => {
    await deleteAdmin();
    const started = await Promise.all([startAgain(), startAgain(), startAgain()]);
    expect(started.flatMap(({ announced }) => announced)).toHaveLength(1);
    expect(await administrators()).toHaveLength(1);
  });

  itOnServer('is not created in production without a configured password', async () => {
    await deleteAdmin();
    const { again, announced } = await startAgain(IN_PRODUCTION);
    expect(announced).toEqual([]);
    expect(await administrators()).toEqual([]);
    expect(again.logLines.filter((line) => line.includes('node dist/cli.js admin create'))).toHaveLength(1);
  });
});
