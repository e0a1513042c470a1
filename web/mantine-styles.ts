import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import postcss from 'postcss';
import type { Plugin } from 'vite';

const KIT = join(dirname(createRequire(import.meta.url).resolve('@mantine/core/styles.css')), 'esm');
/** CSS class of a Mantine component, a hash of its styles. */
const CLASS = /m_[0-9a-f]{6,}/g;

const filesIn = (folder: string, kind: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => kind.test(file))
    .map((file) => join(folder, file));

const read = (file: string): string => readFileSync(file, 'utf8');

/** Names that a source file imports from @mantine/core. */
function namesIn(source: string): string[] {
  const imports = source.matchAll(/import \{([^}]*)\} from ["']@mantine\/core["']/g);
  return Array.from(imports, ([, names = '']) => names.split(','))
    .flat()
    .map((name) => (/^\s*(\w+)/.exec(name) ?? [])[1] ?? '');
}

/** Maps each name that @mantine/core exports to its module. */
function homes(): Map<string, string> {
  const imports = read(join(KIT, 'index.mjs')).matchAll(/import \{([^}]*)\} from "(\.[^"]*)"/g);
  return new Map(
    Array.from(imports, ([, names = '', file = '']) =>
      names.split(',').map((name) => [name.trim(), file] as const),
    ).flat(),
  );
}

/** CSS classes of the components that the sources import, and of the components these are built from. */
function usedClasses(folder: string): Set<string> {
  const sources = filesIn(folder, /\.tsx?$/);
  const siblings = ['modals', 'notifications'].flatMap((kit) => filesIn(join(KIT, '../..', kit, 'esm'), /\.mjs$/));
  const known = homes();
  const wanted = [...sources, ...siblings].flatMap((file) => namesIn(read(file)));
  const queue = wanted.flatMap((name) => known.get(name) ?? []).map((file) => join(KIT, file));
  const seen = new Set<string>(queue);
  const classes = new Set<string>();
  for (const file of seen) {
    const code = read(file);
    for (const [name] of code.matchAll(CLASS)) classes.add(name);
    for (const [, next = ''] of code.matchAll(/from "(\.[^"]+)"/g)) seen.add(join(dirname(file), next));
  }
  return classes;
}

/** Removes the styles of unused components from Mantine's stylesheet, which are most of it. */
export function mantineStyles(folder: string): Plugin {
  return {
    name: 'mantine-styles',
    enforce: 'pre',
    transform(code, id) {
      if (!/@mantine\/core\/styles\.css/.test(id)) return undefined;
      const used = usedClasses(folder);
      const sheet = postcss.parse(code);
      sheet.walkRules((rule) => {
        rule.selectors = rule.selectors.filter((selector) =>
          Array.from(selector.matchAll(CLASS)).every(([name]) => used.has(name)),
        );
        if (rule.selectors.join('') === '') rule.remove();
      });
      return { code: sheet.toString(), map: null };
    },
  };
}
