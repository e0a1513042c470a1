import type { Environment } from '../../platform/config';
import type { CredentialSourceRegistry } from '../../users';
import type { MemberRepository } from '../grants/member.repository';
import type { PermissionsService } from '../grants/permissions.service';
import type { PrivilegeEscalationGuardService } from '../escalation/privilege-escalation-guard.service';
import type { RoleRepository } from '../grants/role.repository';
import { RolesService } from './roles.service';
import { fake } from '../../../test/support/service/fake';

const MANY = 1_200;
const idOf = (number: number): string => `user ${String(number).padStart(4, '0')}`;

describe('RolesService with more administrators than it reads at once', () => {
  const administrators = Array.from({ length: MANY }, (_, number) => idOf(number));
  const LAST = idOf(MANY - 1);
  let able: Set<string>;
  let roles: RolesService;

  beforeEach(() => {
    able = new Set([LAST]);
    const members: Partial<MemberRepository> = {
      isMember: () => Promise.resolve(true),
      activeOthers: (_role, userId, after, limit) =>
        Promise.resolve(administrators.filter((id) => id !== userId && id > after).slice(0, limit)),
    };
    const credentials: Partial<CredentialSourceRegistry> = {
      ableAmong: (ids) => Promise.resolve(new Set(ids.filter((id) => able.has(id)))),
    };
    roles = new RolesService(
      { serviceScope: 'iam' } as Environment,
      fake<RoleRepository>({ findByName: () => Promise.resolve({ id: 'admin' }) }),
      members as MemberRepository,
      {} as PermissionsService,
      { lock: () => Promise.resolve() } as Partial<PrivilegeEscalationGuardService> as PrivilegeEscalationGuardService,
      credentials as CredentialSourceRegistry,
    );
  });

  it('lets one leave while the last one of them can log in', async () => {
    await expect(roles.assertNotLastAdmin(idOf(0))).resolves.toBeUndefined();
  });

  it('does not let the only one who can log in leave', async () => {
    await expect(roles.assertNotLastAdmin(LAST)).rejects.toMatchObject({ code: 'last_admin' });
  });

  it('rejects a change after which none of them can log in', async () => {
    const change = roles.keepAdministrators(async () => {
      able.clear();
    });
    await expect(change).rejects.toMatchObject({ code: 'last_admin' });
  });
});
