import { Injectable } from '@nestjs/common';
import { Audit } from '../audit';
import { Caller } from '../platform/context';
import { Transactions } from '../platform/database';
import { platformErrors } from '../platform/errors';
import {
  CursorAnswer,
  Cursors,
  listByPage,
  PageAnswer,
  pageOf,
  PageOrCursorQueryDto,
  windowOf,
} from '../platform/lists';
import { PublicUser } from '../users';
import { Authority } from './authority.service';
import { GrantRepository } from './grant.repository';
import { MemberRepository } from './member.repository';
import { Permissions } from './permissions.service';
import { rbacErrors } from './rbac.errors';
import { Role } from './role.entity';
import { RoleRepository } from './role.repository';
import { targetOf } from './role.views';

export interface MembershipChange {
  readonly added: number;
  readonly removed: number;
  readonly total: number;
}

/** Ids that one audit event keeps of each side of a change, and violations that one answer names. */
const MOST_NAMED = 100;

/** The users of a role, as a whole. System roles are given and taken one user at a time. */
@Injectable()
export class RoleMembers {
  constructor(
    private readonly transactions: Transactions,
    private readonly roles: RoleRepository,
    private readonly members: MemberRepository,
    private readonly grants: GrantRepository,
    private readonly authority: Authority,
    private readonly permissions: Permissions,
    private readonly cursors: Cursors,
    private readonly audit: Audit,
  ) {}

  /** By username. Errors: `validation_failed`, `not_found`, `system_role_protected`. */
  async list<T>(
    roleId: string,
    query: PageOrCursorQueryDto,
    item: (user: PublicUser) => T,
  ): Promise<PageAnswer<T> | CursorAnswer<T>> {
    const window = windowOf(query);
    const list = `role_users|${roleId}`;
    const stretch = window.by === 'cursor' ? this.cursors.read(list, window.query) : undefined;
    await this.find(roleId);
    if (stretch) {
      const rows = await this.members.stretch(roleId, stretch);
      return this.cursors.answer(list, stretch, rows, { item, position: ({ username }) => [username.toLowerCase()] });
    }
    const page = pageOf(window.query);
    const users = await this.members.page(roleId, page);
    return listByPage(page, users.map(item), await this.members.count(roleId));
  }

  /**
   * Makes these the users of the role, all or nothing.
   * Errors: `validation_failed` naming unknown ids, `not_found`, `system_role_protected`, `escalation_denied`.
   */
  replace(caller: Caller, roleId: string, userIds: readonly string[]): Promise<MembershipChange> {
    const wanted = [...new Set(userIds)];
    return this.transactions.run(async () => {
      await this.authority.stand();
      await this.requireKnown(userIds);
      const role = await this.find(roleId);
      const change = await this.members.difference(roleId, wanted);
      const affected = [...change.added, ...change.removed];
      await this.authority.requireCover(caller, await this.grants.ofRoles([roleId]), targetOf(role));
      await this.authority.requireCoverOfUsers(caller, affected, targetOf(role));
      const result = { added: change.added.length, removed: change.removed.length, total: wanted.length };
      if (affected.length === 0) return result;
      await this.members.replace(roleId, change);
      await this.record(role, change, wanted.length);
      await this.permissions.changed(affected);
      return result;
    });
  }

  private async record(
    role: Role,
    { added, removed }: { added: string[]; removed: string[] },
    total: number,
  ): Promise<void> {
    await this.audit.record({
      action: 'role.replace_users',
      target: targetOf(role),
      before: { user_count: total - added.length + removed.length },
      after: {
        user_count: total,
        added: added.length,
        removed: removed.length,
        added_ids: added.slice(0, MOST_NAMED),
        removed_ids: removed.slice(0, MOST_NAMED),
      },
    });
  }

  private async find(id: string): Promise<Role> {
    const role = await this.roles.findById(id);
    if (!role) throw platformErrors.notFound();
    if (role.isSystem) throw rbacErrors.systemRoleProtected();
    return role;
  }

  private async requireKnown(userIds: readonly string[]): Promise<void> {
    const unknown = await this.members.unknownUsers(userIds);
    if (unknown.size === 0) return;
    const fields = userIds.flatMap((id, index) =>
      unknown.has(id) ? [{ field: `user_ids[${index}]`, code: 'unknown_user', params: { id } }] : [],
    );
    throw platformErrors.validationFailed({ fields: fields.slice(0, MOST_NAMED) });
  }
}
