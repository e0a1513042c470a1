import { Injectable } from '@nestjs/common';
import { platformErrors } from '../../../platform/errors';
import { GroupLookupService, RolesService } from '../../../rbac';
import { UserRepository } from '../../../users';
import { newAccessIds, problemsOfAccess } from './access-ids';
import type { ClientAccess } from './client-claims';

/** Looks up the roles, groups and users that a client is to admit. */
@Injectable()
export class AccessIdsService {
  constructor(
    private readonly roles: RolesService,
    private readonly groups: GroupLookupService,
    private readonly users: UserRepository,
  ) {}

  /** Those that the client admits already may be gone. Errors: `validation_failed`. */
  async requireKnown(access: ClientAccess, before?: ClientAccess): Promise<void> {
    const added = newAccessIds(access, before);
    const users = new Set((await this.users.findPublic(added.userIds)).map(({ id }) => id));
    const fields = problemsOfAccess(access, {
      roles: await this.roles.unknownAmong(added.roleIds),
      groups: await this.groups.unknownAmong(added.groupIds),
      users: new Set(added.userIds.filter((id) => !users.has(id))),
    });
    if (fields.length > 0) throw platformErrors.validationFailed({ fields });
  }
}
