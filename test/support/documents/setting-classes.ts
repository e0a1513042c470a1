import { Setting } from '../../../src/platform/settings';

type Classified = Pick<Setting, 'key' | 'guarded' | 'sensitive'>;
type SettingClassName = 'guarded' | 'sensitive' | 'plain';

function declaredClass({ guarded, sensitive }: Classified): SettingClassName {
  if (guarded) return 'guarded';
  return sensitive ? 'sensitive' : 'plain';
}

/** The classes by key, or by group such as `email.*`, in the table under "Settings". */
function explainedClasses(document: string): Map<string, string> {
  const section = document.split('\n## Settings\n')[1]?.split('\n## ')[0] ?? '';
  const rows = Array.from(section.matchAll(/^\| (`.+?`) \| (\w+) \|/gm));
  return new Map(
    rows.flatMap(([, names = '', name = '']) =>
      Array.from(names.matchAll(/`([^`]+)`/g), ([, key = '']): [string, string] => [key, name]),
    ),
  );
}

function explainedClass(explained: ReadonlyMap<string, string>, key: string): string | undefined {
  const group = [...explained.keys()].find((name) => name.endsWith('*') && key.startsWith(name.slice(0, -1)));
  return explained.get(key) ?? (group === undefined ? undefined : explained.get(group));
}

/** A sentence for each setting without a class, and for each that the page on access classes does not explain so. */
export function classProblems(settings: readonly Classified[], document: string): string[] {
  const explained = explainedClasses(document);
  return settings.flatMap((setting) => {
    const { key } = setting;
    if (setting.guarded === undefined && setting.sensitive === undefined) {
      return [`${key} states no class: write sensitive: false, sensitive: true or guarded: true where it is defined`];
    }
    const declared = declaredClass(setting);
    const found = explainedClass(explained, key);
    if (found === undefined && declared !== 'plain') {
      return [`${key} is ${declared}, but docs/access-classes.md does not explain it: add a row`];
    }
    if ((found ?? 'plain') === declared) return [];
    return [`${key} is ${declared}, but docs/access-classes.md calls it ${found}`];
  });
}
