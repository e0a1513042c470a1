import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit';
import { Caller } from '../platform/context';
import { Transactions } from '../platform/database';
import { platformErrors } from '../platform/errors';
import { User, UserRepository, userTarget } from '../users';
import { PrivilegeEscalationGuardService } from './privilege-escalation-guard.service';
import { changeGrants, isSameGrants } from './change-grants';
import { ChangeUserGrantsDto } from './dto/user-grants.dto';
import { StoredGrants, heldGrants } from './effective-grants';
import { GrantRepository } from './grant.repository';
import { mergeGrants } from './permission';
import { PermissionInputsService } from './permission-inputs.service';
import { PermissionsService } from './permissions.service';
import { auditedGrants } from './role.views';
import { UserCoverService } from './user-cover.service';

/** Administration of one user's grants. */
@Injectable()
export class UserGrantsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UserRepository,
    private readonly grants: GrantRepository,
    private readonly inputs: PermissionInputsService,
    private readonly escalationGuard: PrivilegeEscalationGuardService,
    private readonly cover: UserCoverService,
    private readonly permissions: PermissionsService,
    private readonly audit: AuditService,
  ) {}

  /** Throws `not_found`. */
  async show(userId: string): Promise<StoredGrants> {
    await this.find(userId);
    return this.view(userId);
  }

  /** Throws `validation_failed`, `not_found` or `escalation_denied`. */
  change(caller: Caller, userId: string, { add = [], remove = [] }: ChangeUserGrantsDto): Promise<StoredGrants> {
    const change = this.inputs.change(add, remove);
    return this.transactions.run(async () => {
      await this.escalationGuard.lock();
      const { username } = await this.find(userId);
      const target = userTarget({ id: userId, username });
      const before = await this.grants.direct(userId);
      const after = changeGrants(before, change);
      await this.cover.requireCoverOfUser(caller, userId);
      await this.escalationGuard.requireCover(caller, after, target);
      if (isSameGrants(before, after)) return this.view(userId);
      await this.grants.replaceDirect(userId, after);
      await this.audit.record({
        action: 'user.change_permissions',
        target,
        before: { permissions: auditedGrants(mergeGrants(before)) },
        after: { permissions: auditedGrants(mergeGrants(after)) },
      });
      await this.permissions.invalidate(userId);
      return this.view(userId);
    });
  }

  private async view(userId: string): Promise<StoredGrants> {
    return heldGrants(await this.grants.withSources(userId));
  }

  private async find(userId: string): Promise<User> {
    const user = await this.users.findById(userId);
    if (!user) throw platformErrors.notFound();
    return user;
  }
}
