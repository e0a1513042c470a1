import { Injectable } from '@nestjs/common';
import { GrantRepository } from './grant.repository';
import { MemberRepository } from './member.repository';
import { Role } from './role.entity';
import { AssignedRole, RoleView } from './role.views';

/** Combines roles with their grants and member counts. */
@Injectable()
export class RoleViewsService {
  constructor(
    private readonly grants: GrantRepository,
    private readonly members: MemberRepository,
  ) {}

  async held(roles: readonly Role[]): Promise<AssignedRole[]> {
    const grants = await this.grants.byRole(roles.map(({ id }) => id));
    return roles.map((role) => ({ role, grants: grants.get(role.id) ?? [] }));
  }

  async counted(roles: readonly Role[]): Promise<RoleView[]> {
    const held = await this.held(roles);
    const counts = await this.members.counts(roles.map(({ id }) => id));
    return held.map((view) => ({ ...view, userCount: counts.get(view.role.id) ?? 0 }));
  }

  async one(role: Role): Promise<RoleView> {
    const grants = await this.grants.ofRoles([role.id]);
    const counts = await this.members.counts([role.id]);
    return { role, grants, userCount: counts.get(role.id) ?? 0 };
  }
}
