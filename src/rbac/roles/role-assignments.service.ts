import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit';
import { roleActs, RolesOfUserAct } from '../grants/role.acts';
import { User, userTarget } from '../../users';
import { MemberRepository } from '../grants/member.repository';
import { PermissionsService } from '../grants/permissions.service';
import { Role } from '../grants/role.entity';
import { RoleRepository } from '../grants/role.repository';

type NamedRole = Pick<Role, 'id' | 'scope' | 'name'>;

/**
 * Stores and audits changes of a user's roles, and invalidates the user's cached permissions. It checks nothing: call
 * each method in the transaction of the change, after its checks.
 */
@Injectable()
export class RoleAssignmentsService {
  constructor(
    private readonly roles: RoleRepository,
    private readonly members: MemberRepository,
    private readonly permissions: PermissionsService,
    private readonly audit: AuditService,
  ) {}

  /** Ignores roles that the user already has. Returns all roles of the user afterwards, sorted by scope, then name. */
  async add(user: User, roleIds: readonly string[]): Promise<readonly Role[]> {
    const before = await this.roles.ofUser(user.id);
    const joined = await this.members.join(user.id, roleIds);
    const after = await this.roles.ofUser(user.id);
    if (joined.length > 0) await this.record(roleActs.addToUser, user, before, after);
    return after;
  }

  /** Removes one of the roles that the user has. */
  async remove(user: User, held: readonly NamedRole[], roleId: string): Promise<void> {
    await this.members.leave(user.id, roleId);
    const kept = held.filter(({ id }) => id !== roleId);
    await this.record(roleActs.removeFromUser, user, held, kept);
  }

  private async record(
    act: RolesOfUserAct,
    user: User,
    before: readonly NamedRole[],
    after: readonly NamedRole[],
  ): Promise<void> {
    await this.audit.record(act, {
      target: userTarget(user),
      before: { roles: before.map(named) },
      after: { roles: after.map(named) },
    });
    await this.permissions.invalidate(user.id);
  }
}

function named({ id, scope, name }: NamedRole): NamedRole {
  return { id, scope, name };
}
