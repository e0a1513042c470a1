import { migrations } from '../../migrations';
import { Ran, typedAt, World } from '../support/service/command-line';
import { PASSWORD, TestService } from '../support/service/test-service';

describe('commands that print JSON', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start();
  });

  afterAll(() => service.stop());

  const run = (line: string, world: World = {}): Promise<Ran> => typedAt(service.database, line, world);

  async function data(line: string, world: World = {}): Promise<unknown> {
    const { out, err } = await run(`${line} --json`, world);
    expect(err).toBe('');
    expect(out.trim()).not.toContain('\n');
    return JSON.parse(out);
  }

  it('lists, plans and runs migrations', async () => {
    const items = migrations.map(({ name }) => ({ name, status: 'applied' }));
    expect(await data('migrate status')).toEqual({ items });
    expect(await data('migrate plan')).toEqual({ items: [] });
    expect(await data('migrate run')).toEqual({ applied: [] });
  });

  it('creates an administrator', async () => {
    expect(await data('admin create --username cli_root', { input: PASSWORD })).toEqual({ username: 'cli_root' });
  });

  it('enables a login method', async () => {
    expect(await data('login-method enable passkey')).toEqual({ type: 'passkey', enabled: true, configured: false });
  });

  it('rotates keys', async () => {
    const rotated = { kid: expect.any(String) as string, usage: 'session', algorithm: 'ES256' };
    expect(await data('keys rotate')).toEqual({ items: [rotated] });
  });

  it('exports and imports settings', async () => {
    const input = 'app.default_locale: zh';
    expect(await data('settings import - --dry-run', { input })).toEqual({
      changed: ['app.default_locale'],
      dry_run: true,
    });
    expect(await data('settings import -', { input })).toEqual({ changed: ['app.default_locale'], dry_run: false });
    expect(await data('settings export')).toMatchObject({ settings: { 'app.default_locale': 'zh' }, secret: [] });
  });

  it('prints the checks of the deployment, and still fails if one is wrong', async () => {
    const environment = { PUBLIC_URL: 'http://id.example.com' };
    const { out } = await run('doctor --json', { environment });
    expect(JSON.parse(out)).toMatchObject({ issuer: expect.any(String) as string, checks: expect.any(Array) as [] });
  });

  it.each(['export', 'audit export'])('prints a JSON object per line for "%s"', async (line) => {
    const { code, out } = await run(`${line} --json`);
    expect(code).toBe(0);
    const lines = out.trim().split('\n');
    for (const text of lines) expect(JSON.parse(text)).toEqual(expect.any(Object));
  });
});
