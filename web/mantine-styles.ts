import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import postcss from 'postcss';
import type { Plugin } from 'vite';

const KIT = join(dirname(createRequire(import.meta.url).resolve('@mantine/core/styles.css')), 'esm');
/** A class of a component: its styles' hash. */
const CLASS = /m_[0-9a-f]{6,}/g;

const filesIn = (folder: string, kind: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => kind.test(file))
    .map((file) => join(folder, file));

const read = (file: string): string => readFileSync(file, 'utf8');

/** The names that sources take from the kit. */
function namesIn(source: string): string[] {
  const imports = source.matchAll(/import \{([^}]*)\} from ["']@mantine\/core["']/g);
  return Array.from(imports, ([, names = '']) => names.split(','))
    .flat()
    .map((name) => (/^\s*(\w+)/.exec(name) ?? [])[1] ?? '');
}

/** The module that each name of the kit comes from. */
function homes(): Map<string, string> {
  const imports = read(join(KIT, 'index.mjs')).matchAll(/import \{([^}]*)\} from "(\.[^"]*)"/g);
  return new Map(
    Array.from(imports, ([, names = '', file = '']) =>
      names.split(',').map((name) => [name.trim(), file] as const),
    ).flat(),
  );
}

/** The classes of the components that the sources name, and of all those that these are made of. */
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

/** Takes the styles of components that no page uses out of the kit's stylesheet, most of which would be theirs. */
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
