import { Injectable } from '@nestjs/common';
import { platformErrors } from '../platform/errors';
import { Actor, PrivilegeEscalationGuardService, UserCoverService } from '../rbac';
import { User, UserRepository } from '../users';

/**
 * Locks the user that an administrator acts on and checks the administrator's authority. Call every method in the
 * transaction of the change, before its first write.
 */
@Injectable()
export class TargetUsersService {
  constructor(
    private readonly escalationGuard: PrivilegeEscalationGuardService,
    private readonly users: UserRepository,
    private readonly cover: UserCoverService,
  ) {}

  /**
   * Locks the user for a change that only removes access. Throws `not_found`, or `escalation_denied` when the user
   * holds every permission and the actor does not.
   */
  async lockToContain(actor: Actor, id: string): Promise<User> {
    const user = await this.lock(id);
    await this.requireEqual(actor, id);
    return user;
  }

  /**
   * Locks the user for a change through which the actor could take over the account. Throws `not_found`, or
   * `escalation_denied` when the actor lacks a permission of the user or of the user's OAuth clients.
   */
  async lockToBecome(actor: Actor, id: string): Promise<User> {
    const user = await this.lock(id);
    await this.requireCover(actor, id);
    return user;
  }

  /** Same as `lockToContain`, for many users. Throws `validation_failed` with the unknown ids of `user_ids`. */
  async lockAllToContain(actor: Actor, ids: readonly string[]): Promise<User[]> {
    await this.escalationGuard.lock();
    const users = await this.users.lockMany(ids);
    const known = new Set(users.map(({ id }) => id));
    const fields = ids.flatMap((id, index) =>
      known.has(id) ? [] : [{ field: `user_ids[${index}]`, code: 'unknown_user', params: { id } }],
    );
    if (fields.length > 0) throw platformErrors.validationFailed({ fields });
    await this.escalationGuard.requireEqualOfHoldersOfAll(actor, ids);
    return users;
  }

  /** The check of `lockToContain`, for a locked user. Throws `escalation_denied`. */
  async requireEqual(actor: Actor, id: string): Promise<void> {
    await this.escalationGuard.requireEqualOfHolderOfAll(actor, id);
  }

  /** The check of `lockToBecome`, for a locked user. Throws `escalation_denied`. */
  async requireCover(actor: Actor, id: string): Promise<void> {
    await this.cover.requireCoverOfUser(actor, id);
  }

  /** Locks the user until the transaction ends. Throws `not_found`. */
  async lock(id: string): Promise<User> {
    // Always lock in this order to avoid deadlocks: grants, users, sessions.
    await this.escalationGuard.lock();
    const user = await this.users.lock(id);
    if (!user) throw platformErrors.notFound();
    return user;
  }
}
