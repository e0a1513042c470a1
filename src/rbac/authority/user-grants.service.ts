import { Injectable } from '@nestjs/common';
import { Caller } from '../../platform/context';
import { Transactions } from '../../platform/database';
import { platformErrors } from '../../platform/errors';
import { User, UserRepository } from '../../users';
import { DirectGrantsService } from './direct-grants.service';
import { ChangeUserGrantsDto } from './dto/user-grants.dto';
import { StoredGrants, heldGrants } from '../permission/effective-grants';
import { GrantRepository } from '../grants/grant.repository';
import { OrganizationDirectGrantsService } from './organization-direct-grants.service';
import { PermissionInputsService } from '../permission/permission-inputs.service';
import { PermissionsService } from '../grants/permissions.service';
import { UserCoverService } from '../escalation/user-cover.service';

/** Administration of one user's grants, everywhere and in organizations. */
@Injectable()
export class UserGrantsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UserRepository,
    private readonly grants: GrantRepository,
    private readonly inputs: PermissionInputsService,
    private readonly cover: UserCoverService,
    private readonly everywhere: DirectGrantsService,
    private readonly inOrganizations: OrganizationDirectGrantsService,
    private readonly permissions: PermissionsService,
  ) {}

  /** Throws `not_found`. */
  async show(userId: string): Promise<StoredGrants> {
    await this.find(userId);
    return this.view(userId);
  }

  /** Throws `validation_failed`, `not_found` or `escalation_denied`. */
  change(caller: Caller, userId: string, body: ChangeUserGrantsDto): Promise<StoredGrants> {
    const changes = this.inputs.changes(body.add ?? [], body.remove ?? [], body.remove_organization_id);
    return this.transactions.run(async () => {
      await this.grants.lock();
      const user = await this.find(userId);
      await this.inOrganizations.requireMember(userId, body);
      await this.cover.requireCoverOfUser(caller, userId);
      const isChanged = [
        await this.everywhere.change(caller, user, changes.get(null) ?? { add: [], remove: [] }),
        await this.inOrganizations.change(caller, user, changes),
      ];
      if (isChanged.includes(true)) await this.permissions.invalidate(userId);
      return this.view(userId);
    });
  }

  private async view(userId: string): Promise<StoredGrants> {
    const { direct, effective } = heldGrants(await this.grants.withSources(userId));
    return { direct: [...direct, ...(await this.inOrganizations.list(userId))], effective };
  }

  private async find(userId: string): Promise<User> {
    const user = await this.users.findById(userId);
    if (!user) throw platformErrors.notFound();
    return user;
  }
}
