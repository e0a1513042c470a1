import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Imported, importInto, storedUser } from '../support/accounts/imports';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const run = promisify(execFile);
const PASSWORD = 'correct horse battery';
/** bcrypt of "imported password 1", at cost 4. */
const HASH = '$2b$04$oU6nQ5ckNH8vv1Xlam1.U.wMFpW.BIIh5qfkWuNNyx7qfv.55tXIS';

const blockOf = async (language: string): Promise<string> => {
  const page = await readFile(join(__dirname, '../../docs/guides/import-any-system.md'), 'utf8');
  return new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(page)?.[1] ?? '';
};

/** docs/guides/import-any-system.md. */
describe('import from any system', () => {
  let service: TestService;
  let folder: string;

  withService(async (started) => {
    service = started;
    folder = await mkdtemp(join(tmpdir(), 'castellan-import-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  const imported = async (name: string, text: string): Promise<Imported> => {
    const path = join(folder, name);
    await writeFile(path, text);
    return importInto(service, 'auth0', path);
  };

  it('takes the users that the page shows, with their names and passwords', async () => {
    const lines = await blockOf('json');
    expect((await imported('shown.json', lines)).totals).toMatchObject({ read: 2, made: 2, cannot_log_in: 1 });
    await service.logIn('ann.lee', PASSWORD);
    expect(await storedUser(service, 'bob')).toMatchObject({ locale: 'zh', status: 'disabled' });
    expect((await imported('shown.json', lines)).totals).toMatchObject({ made: 0, unchanged: 2 });
  });

  it('takes a CSV file that the script of the page turns into JSON', async () => {
    const csv = join(folder, 'users.csv');
    const rows = [
      'id,username,email,email_verified,name,password_hash',
      `"1",cat.fox,cat@example.net,true,"Fox, ""Cat""\nJunior",${HASH}`,
      '2,,dan@example.net,true,,',
    ];
    await writeFile(csv, `\uFEFF${rows.join('\r\n')}`);
    await writeFile(join(folder, 'users.mjs'), await blockOf('js'));
    const { stdout } = await run('node', [join(folder, 'users.mjs'), csv]);
    expect((await imported('users.json', stdout)).totals).toMatchObject({ read: 2, made: 2, cannot_log_in: 0 });
    await service.logIn('cat.fox', 'imported password 1');
    expect(await storedUser(service, 'cat_fox')).toMatchObject({ nickname: 'Fox, "Cat" Junior' });
    expect(await storedUser(service, 'dan')).toMatchObject({ email: 'dan@example.net', nickname: '' });
  });
});
