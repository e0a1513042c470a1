import { GrantSource, GrantSources, heldGrants, SourcedGrant } from './effective-grants';
import { grantOf, PermissionLevel } from '.';

const grant = (role: string | null, resource: string, level: PermissionLevel = 7): SourcedGrant => ({
  ...grantOf({ scope: 'iam', resource, action: 'read' }, level),
  role,
  group: null,
});

describe('heldGrants', () => {
  it('names every source of an effective grant: the user first, then roles by name', () => {
    const { direct, effective } = heldGrants([
      grant('writers', 'report'),
      grant('editors', 'report'),
      grant('editors', 'page', 3),
      grant(null, 'report'),
      grant('readers', 'report', 1),
      grant(null, 'page', 1),
    ]);
    expect(direct.map(({ permissionId, level }) => [permissionId, level])).toEqual([
      ['page:read', 1],
      ['report:read', 7],
    ]);
    const rolesOf = (from: readonly GrantSource[]): (string | null)[] => from.map(({ role }) => role);
    expect(effective.map(({ permissionId, level, from }) => [permissionId, level, rolesOf(from)])).toEqual([
      ['page:read', 3, ['editors']],
      ['report:read', 7, [null, 'editors', 'writers']],
    ]);
  });

  it('names the groups of a role after the user, each path once', () => {
    const through = (...path: string[]): SourcedGrant => ({
      ...grant('editors', 'report'),
      group: { name: 'Staff', path },
    });
    const sources = new GrantSources([
      through('Staff', 'Writers'),
      through('Staff'),
      through('Staff', 'Writers'),
      grant('editors', 'report'),
    ]);
    expect(sources.findSources(grant('editors', 'report')).map(({ group }) => group?.path)).toEqual([
      undefined,
      ['Staff'],
      ['Staff', 'Writers'],
    ]);
  });

  it('reads each grant a constant number of times', () => {
    let looks = 0;
    const counted = (sourced: SourcedGrant): SourcedGrant =>
      new Proxy(sourced, {
        get: (target, key: keyof SourcedGrant) => {
          looks += 1;
          return target[key];
        },
      });
    const sourced = Array.from({ length: 1_000 }, (_, number) =>
      counted(grant(`role_${number % 10}`, `thing_${number}`)),
    );
    expect(heldGrants(sourced).effective).toHaveLength(sourced.length);
    expect(looks).toBeLessThan(100 * sourced.length);
  });
});
