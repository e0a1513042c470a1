import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineSetting, text } from '../../src/platform/settings';
import { Ran, typedAt, World } from '../support/service/command-line';
import { encryptionKey } from '../support/service/encryption-key';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const SECRET_TEXT = 'hunter2-very-secret';
const secret = defineSetting({
  key: 'trial.sealed',
  defaultValue: '',
  kind: text(100),
  secret: true,
  sensitive: false,
});

describe('command line with encryption keys that differ from the service', () => {
  let service: TestService;
  let folder: string;

  withService(async (started) => {
    service = started;
    folder = await mkdtemp(join(tmpdir(), 'castellan-cli-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  const run = (line: string, world: World, { database } = service): Promise<Ran> => typedAt(database, line, world);

  const foreign = { ENCRYPTION_KEYS: encryptionKey('other', 7) };
  const counted = (): Promise<unknown[]> =>
    service.query(
      'SELECT (SELECT count(*) FROM signing_key) AS keys, (SELECT count(*) FROM setting_history) AS changes',
    );

  it.each([
    ['keys rotate', ''],
    ['settings import -', `trial.sealed: ${SECRET_TEXT}`],
    ['settings import -', 'app.default_locale: zh'],
  ])('ends "%s" with 78 before it writes anything', async (line, input) => {
    const before = await counted();
    const { code, out, err } = await run(line, { input, environment: foreign });
    expect([code, out]).toEqual([78, '']);
    expect(err).toMatch(/^ENCRYPTION_KEYS cannot open the signing keys in the database; allowed: [^\n]+\n$/);
    expect(await counted()).toEqual(before);
  });

  it('checks the secret settings as the start of the service does', async () => {
    const keyless = await TestService.start();
    try {
      await keyless.set(secret, SECRET_TEXT);
      await keyless.query('DELETE FROM signing_key');
      const world = { input: 'app.default_locale: zh', environment: foreign };
      const { code, err } = await run('settings import -', world, keyless);
      expect([code, err]).toEqual([78, expect.stringContaining('cannot open the secret settings')]);
    } finally {
      await keyless.stop();
    }
  });

  it('creates no keys when none are configured', async () => {
    const none = { ENCRYPTION_KEYS: '', DATA_DIR: join(folder, 'data') };
    expect((await run('keys rotate', { environment: none })).code).toBe(78);
    expect(await readdir(folder)).toEqual([]);
  });

  it('runs the commands that need no keys', async () => {
    for (const line of ['migrate status', 'settings export', 'export']) {
      expect(await run(line, { environment: foreign })).toMatchObject({ code: 0 });
    }
  });
});
