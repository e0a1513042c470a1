import '../../src';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { declaredPermissions } from '../../src/platform/access';

const read = (file: string): string => readFileSync(join(__dirname, '../..', file), 'utf8');

/** What stands in backquotes in the first column of the table of a section. */
function namedIn(section: string): string[] {
  const [, text = ''] = read('docs/security-requirements.md').split(`\n### ${section}\n`);
  const [own = ''] = text.split(/\n##/);
  const cells = Array.from(own.matchAll(/^\| (.+?) \|/gm), ([, cell = '']) => cell);
  return cells.flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = '']) => name)).sort();
}

/** Of the report of what the package exports, the names of what returns a decorator. */
function exportedDecorators(): string[] {
  const report = read('docs/api/castellan.api.md');
  return Array.from(report.matchAll(/^export (?:const|function) (\w+)(.*?)(?=\n\n)/gms))
    .filter(([, , type = '']) =>
      /(?:Method|Class|Property|Parameter|Route)Decorator(?: & ClassDecorator)?;$/.test(type),
    )
    .map(([, name = '']) => `@${name}`)
    .sort();
}

describe('what could open more than it says is classed, with its reason:', () => {
  it('each permission', () => {
    expect(namedIn('What each permission leads to')).toEqual(declaredPermissions());
  });

  it('each decorator that a host is given', () => {
    expect(exportedDecorators()).toContain('@RequirePermission');
    expect(namedIn('What each decorator needs')).toEqual(exportedDecorators());
  });
});
