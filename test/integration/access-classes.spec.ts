import '../../src';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { declaredPermissions } from '../../src/platform/access';

const read = (file: string): string => readFileSync(join(__dirname, '../..', file), 'utf8');

/** The texts in backquotes in the first column of a section's table. */
function namedIn(section: string): string[] {
  const [, text = ''] = read('docs/access-classes.md').split(`\n## ${section}\n`);
  const [own = ''] = text.split(/\n##/);
  const cells = Array.from(own.matchAll(/^\| (.+?) \|/gm), ([, cell = '']) => cell);
  return cells.flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = '']) => name)).sort();
}

/** Exported functions of the API report that return a decorator. */
function exportedDecorators(): string[] {
  const report = read('docs/api/castellan.api.md');
  return Array.from(report.matchAll(/^export (?:const|function) (\w+)(.*?)(?=\n\n)/gms))
    .filter(([, , type = '']) =>
      /(?:Method|Class|Property|Parameter|Route)Decorator(?: & ClassDecorator)?;$/.test(type),
    )
    .map(([, name = '']) => `@${name}`)
    .sort();
}

describe('the classes of access, each with a reason,', () => {
  it('include each permission', () => {
    expect(namedIn('What each permission leads to')).toEqual(declaredPermissions());
  });

  it('include each decorator of the public API', () => {
    expect(exportedDecorators()).toContain('@RequirePermission');
    expect(namedIn('What each decorator needs')).toEqual(exportedDecorators());
  });
});
