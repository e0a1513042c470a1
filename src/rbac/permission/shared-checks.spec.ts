import table from '../../../test/fixtures/permission-checks.json';
import { CatalogueRanks } from './catalogue-ranks';
import { Grant, grantFrom } from './grant';
import { GrantSet } from './grant-set';
import { parsePermissionCode } from './permission-code';
import { PermissionLevel } from './permission-level';

/** `scope:resource:action@level` */
function grantOf(text: string): Grant {
  const [, scope = '', permissionId = '', level = ''] = /^([^:]+):(.+)@(\d)$/.exec(text) ?? [];
  return grantFrom(scope, permissionId, Number(level))!;
}

const ranksOf = (entries: readonly Grant[]): CatalogueRanks =>
  new CatalogueRanks(entries.map((entry) => ({ ...entry, requiredLevel: entry.level })));

describe('GrantSet on the table that the client shares', () => {
  it.each(table.cases)('evaluates $name', ({ grants, catalogue = [], check, level, allowed }) => {
    const ranks = ranksOf(catalogue.map(grantOf));
    const held = new GrantSet(grants.map(grantOf));
    const code = parsePermissionCode(check, table.default_scope);
    expect(code ? held.allows({ ...code, level: level as PermissionLevel | undefined }, ranks) : false).toBe(allowed);
    // Users receive only these levels of the catalogue, which suffice.
    const sent = ranksOf(held.loweredBy(catalogue.map(grantOf), ranks));
    expect(code ? held.allows({ ...code, level: level as PermissionLevel | undefined }, sent) : false).toBe(allowed);
  });
});
