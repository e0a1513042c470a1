import { performance } from 'node:perf_hooks';
import { heldGrants, SourcedGrant } from './effective-grants';
import { grantOf, PermissionLevel } from './permission';

const grant = (role: string | null, resource: string, level: PermissionLevel = 7): SourcedGrant => ({
  ...grantOf({ scope: 'iam', resource, action: 'read' }, level),
  role,
});

describe('what a user holds', () => {
  it('comes from everything that gives it at its level: the user directly, then roles by name', () => {
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
    expect(effective.map(({ permissionId, level, from }) => [permissionId, level, from])).toEqual([
      ['page:read', 3, ['editors']],
      ['report:read', 7, [null, 'editors', 'writers']],
    ]);
  });

  it('is told in no time, however much it is', () => {
    const roles = Array.from({ length: 10 }, (_, role) => `role_${role}`);
    const sourced = roles.flatMap((role) =>
      Array.from({ length: 1_000 }, (_, number) => grant(role, `${role}-thing_${number}`)),
    );
    const start = performance.now();
    expect(heldGrants(sourced).effective).toHaveLength(10_000);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
