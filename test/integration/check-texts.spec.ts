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
  'i18n/en/errors.json': '{"codes":{"last_admin":"One has to stay."}}',
  'i18n/zh/errors.json': '{"codes":{"last_admin":"至少保留一个。"}}',
  'src/errors.ts': 'export const errors = define({ lastAdmin: 409 }, `codes.${code}`);',
  'web/src/auth/page.tsx':
    "export const Page = ({ t, way, name }) => <h1 title={t('login.title')}>{t('login.hello', { name })}{t(`login.ways.${way}`)}</h1>;",
  'web/src/console/page.tsx':
    'export const Page = ({ t, count }) => <p className="two words">{t(\'left\', { count })}</p>;',
  'web/src/shared/language.ts': "export const names = ['English', '中文'];",
  'web/src/api/client.ts': "export const fail = () => { throw new Error('For developers only'); };",
};

/** What the check says of these files, in a folder of their own. */
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
  'src/errors.ts': 'export const errors = define({ other: 409 }, `codes.${code}`);',
  'web/src/console/page.tsx': 'export const none = 1;',
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

describe('the check of texts', () => {
  it('has nothing to say of texts that are all there and all used', () => {
    expect(faultsOf()).toEqual([]);
  });

  const faults = faultsOf(broken);

  it.each([
    ['a key that one language lacks', 'zh/auth.json: login.ways.sms is missing'],
    ['placeholders that differ', 'auth: login.hello has {name} in en and {who} in zh'],
    ['a key that no page has', 'web/src/auth/more.tsx:2: auth.json has no login.gone'],
    ['a group that no page has', 'web/src/auth/more.tsx:2: auth.json has nothing like `gone.${way}`'],
    ['values the text does not want', 'web/src/auth/more.tsx:3: login.hello is given {nick} and wants {name}'],
    ['a text of the pages that none uses', 'console.json: no page uses left.one'],
    ['a text of the service that nothing uses', 'errors.json: nothing in src uses codes.last_admin'],
    ['a word on a page', 'web/src/auth/more.tsx:4: text for people belongs in i18n/: "one"'],
    ['a word that is heard', 'web/src/auth/more.tsx:5: text for people belongs in i18n/: "two"'],
    ['a sentence in an expression', 'web/src/auth/more.tsx:6: text for people belongs in i18n/: "Send it now"'],
    ['Chinese in a property', 'web/src/shared/more.ts:1: text for people belongs in i18n/: "已保存"'],
  ])('finds %s', (_, fault) => {
    expect(faults).toContain(fault);
  });

  it('finds each once, and nothing else', () => {
    expect(faults).toHaveLength(12);
  });
});
