import table from '../../../test/fixtures/permission-checks.json';
import { can, type Permission, type PermissionHolder } from './can';

/** `scope:resource:action@level` */
function grantOf(text: string): Permission {
  const [, scope = '', permission_id = '', level = ''] = /^([^:]+):(.+)@(\d)$/.exec(text) ?? [];
  return { scope, permission_id, level: Number(level) };
}

const holderOf = (grants: readonly string[], catalogue: readonly string[] = []): PermissionHolder => ({
  permissions: grants.map(grantOf),
  default_scope: table.default_scope,
  required_levels: catalogue.map(grantOf),
});

describe('can', () => {
  // The rule of the service runs on the same table.
  it.each(table.cases)('evaluates $name as the service does', ({ grants, catalogue, check, level, allowed }) => {
    expect(can(holderOf(grants, catalogue), check, level)).toBe(allowed);
  });

  it('allows nothing without a user', () => {
    expect([can(null, '*:*:*'), can(undefined, 'order:read')]).toEqual([false, false]);
  });

  it('allows nothing while the user has something to do first', () => {
    const all = holderOf(['*:*:*@7']);
    const pending = [null, undefined, 'terms', 'mfa_enrolment', 'a later one'];
    expect(pending.map((duty) => can({ ...all, pending: duty }, 'order:read'))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('requires a scope where the default is unknown', () => {
    const { permissions } = holderOf(['*:*:*@7']);
    expect([can({ permissions }, 'order:read'), can({ permissions }, 'shop:order:read')]).toEqual([false, true]);
  });
});
