import type { AuditService } from '../../audit';
import { ImportedRolesService } from './imported-roles.service';
import type { MemberRepository } from '../grants/member.repository';
import type { PermissionsService } from '../grants/permissions.service';
import type { PrivilegeEscalationGuardService } from '../escalation/privilege-escalation-guard.service';
import type { RoleRepository } from '../grants/role.repository';

const done = (): Promise<void> => Promise.resolve();

describe('ImportedRolesService', () => {
  const invalidated: string[] = [];
  const imported = new ImportedRolesService(
    {
      insertMissing: () => Promise.resolve([]),
      findPowerless: () => Promise.resolve([{ id: 'editors', name: 'editor' }]),
    } as Partial<RoleRepository> as RoleRepository,
    { joinAll: done } as Partial<MemberRepository> as MemberRepository,
    { lock: done } as Partial<PrivilegeEscalationGuardService> as PrivilegeEscalationGuardService,
    {
      invalidate: async (users: readonly string[]) => void invalidated.push(...users),
    } as Partial<PermissionsService> as PermissionsService,
    { recordAll: done } as Partial<AuditService> as AuditService,
  );

  // A role without permissions may still require a second factor, which is cached with the grants.
  it('invalidates the grants of each user who joined a role, once', async () => {
    const left = await imported.join('keycloak', [
      { userId: 'ann', roleName: 'editor' },
      { userId: 'ann', roleName: 'editor' },
      { userId: 'bob', roleName: 'admin' },
    ]);
    expect(left).toEqual([{ userId: 'bob', roleName: 'admin' }]);
    expect(invalidated).toEqual(['ann']);
  });
});
