import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataFolderLock } from '../../src/platform/database';
import { cookiePrefix, defaultLocale } from '../../src/platform/http';
import { defineSetting, text } from '../../src/platform/settings';
import { SettingsService } from '../../src/settings';
import { CONFIGURED, Keyboard, Ran, typed, typedAt, typedOn, World } from '../support/service/command-line';
import { ADMIN, eventually, PASSWORD, TestService } from '../support/service/test-service';

const SECRET_TEXT = 'hunter2-very-secret';
const secret = defineSetting({ key: 'trial.secret', defaultValue: '', kind: text(50), secret: true, sensitive: true });
const note = defineSetting({ key: 'trial.note', defaultValue: '', kind: text(20), sensitive: false });

describe('command line without a database', () => {
  it.each(['', 'help', '--help'])('prints its usage for "%s"', async (line) => {
    const { code, out } = await typed(line);
    expect(code).toBe(0);
    for (const name of [
      'migrate status',
      'migrate plan',
      'migrate run',
      'admin create',
      'settings export',
      'settings import',
    ]) {
      expect(out).toContain(name);
    }
  });

  it.each([
    'burn',
    'burn --help',
    'help burn',
    'settings',
    'settings burn',
    'settings import',
    'login-method enable',
    'settings export now',
    'settings export --all',
    'admin create --username',
    'doctor --lang fr',
    'import --from foo x',
    'import x',
  ])('ends "%s" with 2 and explains the mistake', async (line) => {
    const { code, out, err } = await typed(line);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/\S/);
  });

  it.each([
    ['keys rotate --help', /^Usage: keys rotate \[--json\]\n\nCreate /],
    ['settings import -h', /^Usage: settings import FILE\|- \[--dry-run\] \[--json\]\n\nSet /],
    ['help settings import', /^Usage: settings import FILE\|- \[--dry-run\] \[--json\]\n\nSet /],
    ['migrate --help', /^ {2}migrate status .*\n {2}migrate plan .*\n {2}migrate run .*\n$/],
    ['help migrate', /^ {2}migrate status .*\n {2}migrate plan .*\n {2}migrate run .*\n$/],
    ['--version', /^\d+\.\d+\.\d+\n$/],
    ['keys rotate --version', /^\d+\.\d+\.\d+\n$/],
  ])('returns from "%s" without connecting', async (line, said) => {
    const { code, out } = await typed(line);
    expect(code).toBe(0);
    expect(out).toMatch(said);
  });

  it.each([
    ['keys rotate now', 'Too many arguments.\nUsage: keys rotate [--json]\n'],
    ['settings import', 'The argument FILE|- is missing.\nUsage: settings import FILE|- [--dry-run] [--json]\n'],
    ['settings export --all', "Unknown option '--all'\nUsage: settings export [--json]\n"],
    [
      'admin create --username',
      "Option '--username <value>' argument missing\nUsage: admin create [--username NAME] [--json]\n",
    ],
    ['help burn', 'There is no command "burn". "help" lists all commands.\n'],
  ])('explains what is wrong with "%s" and prints the usage', async (line, said) => {
    expect((await typed(line)).err).toBe(said);
  });

  it.each(['migrate', 'migrate burn'])('lists the subcommands for the incomplete command "%s"', async (line) => {
    const { code, err } = await typed(line);
    expect(code).toBe(2);
    expect(err).toMatch(
      /^"migrate" needs one of these subcommands:\n {2}migrate status .*\n {2}migrate plan .*\n {2}migrate run .*\n$/,
    );
  });

  it('ends an invalid configuration with 78 and names the variable', async () => {
    const { code, err } = await typed('migrate status', { identity: { environment: { ...CONFIGURED, PORT: 'abc' } } });
    expect(code).toBe(78);
    expect(err).toContain('PORT');
  });

  it('asks the operator to stop the server while the server holds the embedded database', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'castellan-cli-'));
    const lock = await DataFolderLock.acquire(folder);
    const environment = { ...CONFIGURED, DATA_DIR: folder };
    const { code, err } = await typed('settings export', { identity: { environment } });
    expect(code).toBe(1);
    expect(err).toContain('stop the server first');
    expect(err.trim().split('\n')).toHaveLength(1);
    await lock.release();
    await rm(folder, { recursive: true });
  });
});

/** Starts a service and a folder for each test, or once for all tests of the block. */
function commandLine(each = false): {
  readonly service: TestService;
  readonly folder: string;
  /** Runs a line on the service. */
  run(line: string, keyboard?: Keyboard): Promise<Ran>;
  runApart(line: string, world?: World): Promise<Ran>;
  value<T>(setting: Parameters<SettingsService['latest']>[0]): Promise<T>;
} {
  let service: TestService;
  let folder: string;
  const start = async (): Promise<void> => {
    service = await TestService.start();
    folder = await mkdtemp(join(tmpdir(), 'castellan-cli-'));
  };
  const stop = async (): Promise<void> => {
    await service.stop();
    await rm(folder, { recursive: true });
  };
  if (each) {
    beforeEach(start);
    afterEach(stop);
  } else {
    beforeAll(start);
    afterAll(stop);
  }
  return {
    get service() {
      return service;
    },
    get folder() {
      return folder;
    },
    run: (line, keyboard) => typedOn(service, line, keyboard),
    runApart: (line, world) => typedAt(service.database, line, world),
    value: <T>(setting: Parameters<SettingsService['latest']>[0]) =>
      service.app.get(SettingsService).latest(setting) as Promise<T>,
  };
}

describe('command line', () => {
  const line = commandLine();

  describe('admin create', () => {
    it('creates an administrator with a password from standard input', async () => {
      const made = await line.runApart('admin create --username root_2', { input: PASSWORD });
      expect(made).toMatchObject({ code: 0, out: 'root_2 is an administrator.\n' });
      const root = await line.service.logIn('root_2');
      expect((await root.get('/api/audit')).status).toBe(200);
      expect(made.out + made.err).not.toContain(PASSWORD);
      const [event] = await line.service.query(
        `SELECT actor_name, after FROM audit_event WHERE action = 'user.create' ORDER BY at DESC, id DESC LIMIT 1`,
      );
      expect(event).toMatchObject({ actor_name: 'command line', after: { source: 'command line' } });
    });

    it('reads name and password from the environment', async () => {
      const environment = { ADMIN_USERNAME: 'root_3', ADMIN_PASSWORD: PASSWORD };
      expect(await line.runApart('admin create', { environment })).toMatchObject({ code: 0 });
      await line.service.logIn('root_3');
    });

    it.each([
      [ADMIN.username, PASSWORD, 1, 'already taken'],
      ['a', PASSWORD, 2, '  --username: Use 3 to 50 letters'],
      ['root_4', 'short', 1, '  password: Too short'],
      ['root_4', 'password123', 1, 'easy to guess'],
    ])('rejects %s with %s', async (username, input, exit, reason) => {
      const { code, err } = await line.runApart(`admin create --username ${username}`, { input });
      expect(code).toBe(exit);
      expect(err).toContain(reason);
      expect(err).not.toMatch(/\n\s+at /);
    });
  });

  describe('keys rotate', () => {
    it('prints the next key and ends no session', async () => {
      const admin = await line.service.admin();
      const { code, out } = await line.runApart('keys rotate');
      expect(code).toBe(0);
      const { body } = await line.service.client().get<{ keys: { kid: string }[] }>('/.well-known/jwks.json');
      expect(body.keys.length).toBeGreaterThan(0);
      expect(out.trim()).toMatch(/^[0-9a-f-]{36} session ES256$/);
      expect((await admin.get('/api/auth/me')).status).toBe(200);
    });
  });

  it('imports nothing from an unknown file and reports it', async () => {
    const path = join(line.folder, 'users.json');
    await writeFile(path, JSON.stringify({ users: [{ user_id: 'auth0|1', email: 'ann@example.com' }] }));
    const { code, err } = await line.runApart(`import --from casdoor ${path}`);
    const sentence = `${path} looks like an export of Auth0, not of Casdoor. Use --from auth0\n`;
    expect([code, err]).toEqual([1, sentence]);
  });

  describe('settings import', () => {
    it('imports all or nothing and names the key of every failure', async () => {
      const input =
        'app.default_locale: zh\nno.such: 1\njwt.access_ttl_seconds: 0\njwt.cookie_prefix: __Host-x\njwt.cookie_path: /api\n';
      const { code, out, err } = await line.runApart('settings import -', { input });
      expect([code, out]).toEqual([1, '']);
      for (const key of ['no.such', 'jwt.access_ttl_seconds', 'jwt.cookie_path']) expect(err).toContain(`  ${key}: `);
      expect(await line.value(defaultLocale)).toBe('en');
    });

    it('rejects an unknown key, whatever its value', async () => {
      const { code, err } = await line.run('settings import -', { input: 'no.such: null\n' });
      expect([code, err]).toEqual([1, expect.stringContaining('  no.such: ')]);
    });

    it('only prints the changes in a dry run', async () => {
      const ran = await line.run('settings import - --dry-run', { input: 'app.default_locale: zh' });
      expect(ran).toEqual({ code: 0, out: 'would change\tapp.default_locale\n', err: '' });
      expect(await line.value(defaultLocale)).toBe('en');
    });

    it.each([
      ['- a\n- b', 'key: value'],
      ['just text', 'key: value'],
      ['a: 1\na: 2', 'not a settings file'],
      ['a: [', 'not a settings file'],
      ['a: &x [1]\nb: [*x, *x]', 'Alias'],
    ])('rejects the input %j', async (input, reason) => {
      const { code, err } = await line.run('settings import -', { input });
      expect(code).toBe(1);
      expect(err).toContain(reason);
    });

    it('rejects a missing file', async () => {
      const { code, err } = await line.run(`settings import ${join(line.folder, 'nothing.yaml')}`);
      expect(code).toBe(1);
      expect(err).toContain('ENOENT');
    });
  });
});

describe('command line that changes the state of the service', () => {
  const line = commandLine(true);

  describe('login-method enable', () => {
    it('lets administrators log in again after they disabled their only login method', async () => {
      const admin = await line.service.admin();
      expect((await admin.patch('/api/login-method/password', { enabled: false })).status).toBe(200);
      expect(await line.runApart('admin create --username root_5', { input: PASSWORD })).toMatchObject({ code: 0 });
      await expect(line.service.logIn('root_5')).rejects.toThrow('login_method_disabled');

      expect(await line.runApart('login-method enable password')).toEqual({
        code: 0,
        out: 'password is enabled.\n',
        err: '',
      });
      await eventually(
        () =>
          line.service.client().post('/api/auth/login', { type: 'password', username: 'root_5', password: PASSWORD }),
        ({ status }) => status === 200,
        1.2,
      );
      const [event] = await line.service.query(
        `SELECT actor_name, target_id, after FROM audit_event WHERE action = 'login_method.update' ORDER BY at DESC, id DESC`,
      );
      expect(event).toEqual({ actor_name: 'command line', target_id: 'password', after: { enabled: true } });
    });

    it('leaves an enabled method as it is and lists the available methods', async () => {
      expect((await line.run('login-method enable passkey')).out).toBe('passkey is enabled, but not configured.\n');
      expect(await line.service.query(`SELECT 1 FROM audit_event WHERE action = 'login_method.update'`)).toEqual([]);
      const { code, err } = await line.run('login-method enable smoke');
      expect([code, err]).toEqual([1, expect.stringContaining('Available: email, passkey, password, sms.\n')]);
    });
  });

  it('reports when there is no key to rotate', async () => {
    await line.service.query('DELETE FROM signing_key');
    expect((await line.runApart('keys rotate')).out).toContain('no signing keys yet');
  });

  describe('settings', () => {
    const file = async (content: string): Promise<string> => {
      const path = join(line.folder, 'settings.yaml');
      await writeFile(path, content);
      return path;
    };

    it('imports what it exported, without secrets', async () => {
      await line.service.set(cookiePrefix, 'other');
      await line.service.set(note, 'yes: "no"');
      await line.service.set(secret, SECRET_TEXT);
      const { code, out } = await line.runApart('settings export');
      expect(code).toBe(0);
      expect(out).toContain('jwt.cookie_prefix: other\n');
      expect(out).toContain('# trial.secret');
      expect(out).not.toContain(SECRET_TEXT);
      expect(out).not.toContain('enc:v1');

      await line.service.set(cookiePrefix, 'another');
      await line.service.set(note, '');
      const imported = await line.runApart(`settings import ${await file(out)}`);
      expect(imported).toEqual({ code: 0, out: 'changed\tjwt.cookie_prefix\nchanged\ttrial.note\n', err: '' });
      expect(await line.value(cookiePrefix)).toBe('other');
      expect(await line.value(note)).toBe('yes: "no"');
      expect(await line.value(secret)).toBe(SECRET_TEXT);
      expect((await line.runApart('settings import -', { input: out })).out).toBe('Nothing to change.\n');
    });

    it('exports settings of an embedding application as comments', async () => {
      await line.service.query(
        `INSERT INTO setting (key, value, version) VALUES ('shop.most', '7', 1), ('shop.none', NULL, 2)`,
      );
      const { out } = await line.runApart('settings export');
      expect(out).toContain('# shop.most\n');
      expect(out).not.toContain('shop.none');
      expect((await line.run('settings import -', { input: 'shop.most: 7\n' })).err).toContain('  shop.most: ');
      expect((await line.run('settings import -', { input: out })).out).toBe('Nothing to change.\n');
    });

    it('imports with history and audit, and encrypts secrets', async () => {
      await line.runApart('settings import -', { input: `trial.secret: ${SECRET_TEXT}\napp.default_locale: zh\n` });
      expect(await line.value(secret)).toBe(SECRET_TEXT);
      expect(await line.value(defaultLocale)).toBe('zh');
      const [history] = await line.service.query(`SELECT * FROM setting_history WHERE key = 'trial.secret'`);
      expect(history).toMatchObject({ changed_by: null, reason: 'settings import' });
      expect(JSON.stringify(history)).not.toContain(SECRET_TEXT);
      expect(await line.service.query(`SELECT 1 FROM audit_event WHERE action = 'setting.update'`)).toHaveLength(2);
      await line.runApart('settings import -', { input: 'app.default_locale: null\n' });
      expect(await line.value(defaultLocale)).toBe('en');
    });
  });
});
