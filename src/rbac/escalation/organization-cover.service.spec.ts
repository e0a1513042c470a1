import type { Caller } from '../../platform/context';
import { OPERATOR } from '../../platform/context';
import type { ChangeableRolesService } from './changeable-roles.service';
import type { Actor, PrivilegeEscalationGuardService } from './privilege-escalation-guard.service';
import type { RoleGivingService } from './role-giving.service';
import type { RoleRepository } from '../grants/role.repository';
import { OrganizationCoverService } from './organization-cover.service';
import type { OrganizationGrantRepository } from '../grants/organization-grant.repository';
import { fake } from '../../../test/support/service/fake';

describe('OrganizationCoverService', () => {
  const judged: Actor[] = [];
  const done = (): Promise<void> => Promise.resolve();
  const none = (): Promise<never[]> => Promise.resolve([]);
  const guard = { lock: done, requireCover: async (actor: Actor) => void judged.push(actor) };
  const organizationGrants = {
    ofMember: () => Promise.resolve({ grants: [] }),
    byOrganization: () => Promise.resolve(new Map()),
    ofOrganization: none,
  };
  const roles = { findWithin: () => Promise.resolve([{ id: 'clerk', isSystem: false }]) };
  const cover = new OrganizationCoverService(
    guard as Partial<PrivilegeEscalationGuardService> as PrivilegeEscalationGuardService,
    organizationGrants as unknown as OrganizationGrantRepository,
    roles as unknown as RoleRepository,
    {} as ChangeableRolesService,
    fake<RoleGivingService>({ require: async (actor: Actor) => void judged.push(actor) }),
  );
  const judge = async (caller: Caller): Promise<Actor[]> => {
    judged.length = 0;
    await cover.requireGivable(caller, 'acme', ['clerk']);
    await cover.requireCoverOfMember(caller, { userId: 'bob', organizationId: 'acme' });
    await cover.requireCoverOfMembers(caller, 'acme', ['bob'], { type: 'role', id: 'clerk' });
    await cover.requireCoverOfAll(caller, 'acme');
    return judged;
  };

  it('judges a user by what holds everywhere and there, and knows a system actor', async () => {
    const [inAcme, ann] = [
      { userId: 'ann', organizationId: 'acme' },
      { ...OPERATOR, userId: 'ann' },
    ];
    expect(await judge(ann)).toEqual([ann, inAcme, inAcme, inAcme]);
    expect((await judge(OPERATOR)).every((actor) => actor === OPERATOR)).toBe(true);
  });
});
