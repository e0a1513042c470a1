import '../../src';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { boolean, declaredSettings, defineSetting } from '../../src/platform/settings';
import { classProblems } from '../support/documents/setting-classes';

const document = readFileSync(join(__dirname, '../../docs/access-classes.md'), 'utf8');

describe('settings', () => {
  it('require a recent login when guarded', () => {
    const lax = declaredSettings().filter(({ guarded, sensitive }) => guarded && !sensitive);
    expect(lax).toEqual([]);
  });

  it('are explained in docs/access-classes.md by the class that they declare', () => {
    expect(declaredSettings().filter(({ guarded }) => guarded).length).toBeGreaterThan(40);
    expect(classProblems(declaredSettings(), document)).toEqual([]);
  });
});

describe('a new setting', () => {
  it('without a class is refused by the compiler', () => {
    // @ts-expect-error it is neither sensitive nor guarded, and does not say so
    const motto: Parameters<typeof defineSetting<boolean>>[0] = { key: 'app.motto', defaultValue: true, kind: boolean };
    expect(motto).not.toHaveProperty('sensitive');
  });
});

describe('classProblems', () => {
  const page = [
    '# Page',
    '',
    '## Settings',
    '',
    '| setting | class | why |',
    '|---|---|---|',
    '| `mail.*` | guarded | it leads to codes |',
    '| `mail.footer`, `app.motto` | sensitive | all users see them |',
    '',
    '## More',
  ].join('\n');
  const setting = (key: string, guarded: boolean, sensitive = guarded) => ({ key, guarded, sensitive });

  it('names a guarded or sensitive setting that the page does not explain', () => {
    const problems = classProblems([setting('app.name', true), setting('app.logo', false, true)], page);
    expect(problems).toEqual([
      'app.name is guarded, but docs/access-classes.md does not explain it: add a row',
      'app.logo is sensitive, but docs/access-classes.md does not explain it: add a row',
    ]);
  });

  it('names a setting that states no class', () => {
    expect(classProblems([{ key: 'app.width' }, { key: 'app.motto' }], page)).toEqual([
      'app.width states no class: write sensitive: false, sensitive: true or guarded: true where it is defined',
      'app.motto states no class: write sensitive: false, sensitive: true or guarded: true where it is defined',
    ]);
  });

  it('names a setting with another class on the page', () => {
    expect(classProblems([setting('mail.host', false), setting('app.motto', true)], page)).toEqual([
      'mail.host is plain, but docs/access-classes.md calls it guarded',
      'app.motto is guarded, but docs/access-classes.md calls it sensitive',
    ]);
  });

  it('prefers the row of a key to the row of its group, and asks for no row of a plain setting', () => {
    const settings = [setting('mail.host', true), setting('mail.footer', false, true), setting('app.width', false)];
    expect(classProblems(settings, page)).toEqual([]);
  });
});
