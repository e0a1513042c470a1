import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const script = join(__dirname, '../../scripts/check-texts.mjs');

const sound: Record<string, string> = {
  'i18n/en/auth.json': '{"login":{"title":"Log in","hello":"Hello {name}","ways":{"sms":"Text message"}}}',
  'i18n/zh/auth.json': '{"login":{"title":"登录","hello":"{name}，你好","ways":{"sms":"短信"}}}',
  'i18n/en/console.json': '{"left":{"one":"{count} left","other":"{count} left"}}',
  'i18n/zh/console.json': '{"left":{"one":"剩 {count} 个","other":"剩 {count} 个"}}',
  'i18n/en/console_users.json': '{"users":{"none":"Nobody"}}',
  'i18n/zh/console_users.json': '{"users":{"none":"没有人"}}',
  'i18n/en/errors.json': '{"codes":{"last_admin":"One has to stay."}}',
  'i18n/zh/errors.json': '{"codes":{"last_admin":"至少保留一个。"}}',
  'src/errors.ts': 'export const errors = define({ lastAdmin: 409 }, `codes.${code}`);',
  'web/src/auth/page.tsx':
    "export const Page = ({ t, way, name }) => <h1 title={t('login.title')}>{t('login.hello', { name })}{t(`login.ways.${way}`)}</h1>;",
  'web/src/console/main.tsx':
    "import { router } from './router'; import { Page } from './page'; export { router, Page };",
  'web/src/console/page.tsx':
    'export const Page = ({ t, count }) => <p className="two words">{t(\'left\', { count })}</p>;',
  'web/src/console/router.tsx': `
    const admin = [
      { path: 'users', lazy: async () => ({ Component: (await import('./users-page')).Users }) },
      { path: 'users/:id', lazy: async () => ({ Component: (await import('./user-page')).User }) },
      { path: 'roles', lazy: async () => ({ Component: (await import('./roles-page')).Roles }) },
    ];
    export const router = admin;`,
  'web/src/console/text-areas.ts': "export const areaOf = (path: string): string => path.split('/')[2] ?? '';",
  'web/src/console/nobody.tsx': "export const Nobody = ({ t }) => <p>{t('users.none')}</p>;",
  'web/src/console/users-page.tsx': "export { Nobody as Users } from './nobody';",
  'web/src/console/user-page.tsx': "import { Nobody } from './nobody'; export const User = () => <Nobody />;",
  'web/src/console/roles-page.tsx': "import type { Nobody } from './nobody'; export const Roles = (): Nobody => null;",
  'web/src/shared/language.ts': "export const names = ['English', '中文'];",
  'web/src/api/client.ts': "export const fail = () => { throw new Error('For developers only'); };",
};

/** The findings of the check for these files in a separate folder. */
function faultsOf(changed: Record<string, string> = {}): string[] {
  const root = mkdtempSync(join(tmpdir(), 'castellan-texts-'));
  try {
    for (const [file, text] of Object.entries({ ...sound, ...changed })) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    }
    const { status, stderr } = spawnSync(process.execPath, [script, root], { encoding: 'utf8' });
    const faults = stderr.split('\n').filter((line) => line !== '');
    expect(status).toBe(faults.length > 0 ? 1 : 0);
    return faults;
  } finally {
    rmSync(root, { recursive: true });
  }
}

const broken: Record<string, string> = {
  'i18n/zh/auth.json': '{"login":{"title":"登录","hello":"{who}，你好","ways":{}}}',
  'i18n/en/console.json': '{"left":{"one":"{count} left","other":"{count} left"},"users":{"none":"Nobody"}}',
  'i18n/zh/console.json': '{"left":{"one":"剩 {count} 个","other":"剩 {count} 个"},"users":{"none":"没有人"}}',
  'src/errors.ts': 'export const errors = define({ other: 409 }, `codes.${code}`);',
  'web/src/console/page.tsx': 'export const Page = 1;',
  'web/src/console/roles-page.tsx': "import { Nobody } from './nobody'; export const Roles = () => <Nobody />;",
  'web/src/shared/more.ts': "export const more = { message: '已保存' };",
  'web/src/auth/more.tsx': `export const More = ({ t, way }) => (
    <p title={t('login.gone')} lang={t(\`gone.\${way}\`)}>
      {t('login.hello', { nick: way })}
      <b>one</b>
      <b aria-label="two" />
      {way ? 'Send it now' : ''}
    </p>
  );`,
};

describe('scripts/check-texts.mjs', () => {
  it('finds nothing when all texts exist and are used', () => {
    expect(faultsOf()).toEqual([]);
  });

  it('finds a text of one area among those of all pages', () => {
    const files = {
      'i18n/en/console.json': '{"left":{"one":"{count} left","other":"{count} left"},"users":{"none":"Nobody"}}',
      'i18n/zh/console.json': '{"left":{"one":"剩 {count} 个","other":"剩 {count} 个"},"users":{"none":"没有人"}}',
      'i18n/en/console_users.json': '{}',
      'i18n/zh/console_users.json': '{}',
    };
    expect(faultsOf(files)).toEqual(['console.json: users.none belongs in console_users.json']);
  });

  it.each([
    ['The file is deleted at once.', 'auth.json: login.title says "at once": write "immediately" or "right away"'],
    ['Its name. Empty: none.', 'auth.json: login.title says "Empty:": write "Leave empty to …"'],
    ['Choose a picture', 'auth.json: login.title says "picture": write "image"'],
    [
      'Whether users may register.',
      'auth.json: login.title says "Whether": write an imperative, such as "Let people register themselves"',
    ],
    ['Sign in', 'auth.json: login.title says "Sign in": write "log in", "log out" or "register"'],
  ])('finds the wording of %j', (text, fault) => {
    const files = { 'i18n/en/auth.json': String(sound['i18n/en/auth.json']).replace('Log in', text) };
    expect(faultsOf(files)).toEqual([fault]);
  });

  it('finds a space between Chinese words', () => {
    const files = { 'i18n/zh/auth.json': String(sound['i18n/zh/auth.json']).replace('登录', '马上 登录') };
    expect(faultsOf(files)).toEqual(['zh/auth.json: login.title has a space between Chinese words']);
  });

  const faults = faultsOf(broken);

  it.each([
    ['a key that is missing in one language', 'zh/auth.json: login.ways.sms is missing'],
    ['placeholders that differ', 'auth: login.hello has {name} in en and {who} in zh'],
    ['an unknown key in a page', 'web/src/auth/more.tsx:2: auth.json has no login.gone'],
    ['an unknown key group in a page', 'web/src/auth/more.tsx:2: auth.json has no key like `gone.${way}`'],
    ['values that the text does not have', 'web/src/auth/more.tsx:3: login.hello gets {nick} but needs {name}'],
    ['an unused text of the pages', 'console.json: no page uses left.one'],
    ['a text that a page does not load', 'console_users.json: users.none belongs in console.json'],
    ['a text in two sections', 'console.json: users.none is also in console_users.json'],
    ['an unused text of the service', 'errors.json: nothing in src uses codes.last_admin'],
    ['a literal text on a page', 'web/src/auth/more.tsx:4: user-facing text belongs in i18n/: "one"'],
    ['a literal text for screen readers', 'web/src/auth/more.tsx:5: user-facing text belongs in i18n/: "two"'],
    [
      'a literal sentence in an expression',
      'web/src/auth/more.tsx:6: user-facing text belongs in i18n/: "Send it now"',
    ],
    ['a Chinese literal in a property', 'web/src/shared/more.ts:1: user-facing text belongs in i18n/: "已保存"'],
  ])('finds %s', (_, fault) => {
    expect(faults).toContain(fault);
  });

  it('finds each once and nothing else', () => {
    expect(faults).toHaveLength(14);
  });
});
