import { Injectable } from '@nestjs/common';
import { Audit } from '../audit';
import { Caller } from '../platform/context';
import { Transactions } from '../platform/database';
import { platformErrors } from '../platform/errors';
import { User, UserRepository, userTarget } from '../users';
import { Authority } from './authority.service';
import { changeGrants, isSameGrants } from './change-grants';
import { ChangeUserGrantsDto } from './dto/user-grants.dto';
import { HeldGrants, heldGrants } from './effective-grants';
import { GrantRepository } from './grant.repository';
import { mergeGrants } from './permission';
import { PermissionInputs } from './permission-input';
import { Permissions } from './permissions.service';
import { auditedGrants } from './role.views';

/** What one user holds, seen and changed by administrators. */
@Injectable()
export class UserGrants {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UserRepository,
    private readonly grants: GrantRepository,
    private readonly inputs: PermissionInputs,
    private readonly authority: Authority,
    private readonly permissions: Permissions,
    private readonly audit: Audit,
  ) {}

  /** Errors: `not_found`. */
  async show(userId: string): Promise<HeldGrants> {
    await this.find(userId);
    return this.view(userId);
  }

  /** Errors: `validation_failed`, `not_found`, `escalation_denied`. */
  change(caller: Caller, userId: string, { add = [], remove = [] }: ChangeUserGrantsDto): Promise<HeldGrants> {
    const change = this.inputs.change(add, remove);
    return this.transactions.run(async () => {
      await this.authority.stand();
      const { username } = await this.find(userId);
      const target = userTarget({ id: userId, username });
      const before = await this.grants.direct(userId);
      const after = changeGrants(before, change);
      await this.authority.requireCoverOfUser(caller, userId);
      await this.authority.requireCover(caller, after, target);
      if (isSameGrants(before, after)) return this.view(userId);
      await this.grants.replaceDirect(userId, after);
      await this.audit.record({
        action: 'user.change_permissions',
        target,
        before: { permissions: auditedGrants(mergeGrants(before)) },
        after: { permissions: auditedGrants(mergeGrants(after)) },
      });
      await this.permissions.changed(userId);
      return this.view(userId);
    });
  }

  private async view(userId: string): Promise<HeldGrants> {
    return heldGrants(await this.grants.withSources(userId));
  }

  private async find(userId: string): Promise<User> {
    const user = await this.users.findById(userId);
    if (!user) throw platformErrors.notFound();
    return user;
  }
}
