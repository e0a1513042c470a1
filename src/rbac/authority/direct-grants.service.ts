import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit';
import { Caller } from '../../platform/context';
import { User, userTarget } from '../../users';
import { changeGrants, isSameGrants } from '../permission/change-grants';
import { GrantRepository } from '../grants/grant.repository';
import { mergeGrants } from '../permission';
import { GrantChange } from '../permission/permission-inputs.service';
import { PrivilegeEscalationGuardService } from '../escalation/privilege-escalation-guard.service';
import { auditedGrants } from '../grants/role.views';
import { permissionActs } from '../grants/role.acts';

/** Changes the direct grants of a user that hold everywhere. */
@Injectable()
export class DirectGrantsService {
  constructor(
    private readonly grants: GrantRepository,
    private readonly escalationGuard: PrivilegeEscalationGuardService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Call in the transaction of the change, after the checks that concern the user. Returns whether anything changed. Throws
   * `escalation_denied`.
   */
  async change(caller: Caller, { id, username }: User, change: GrantChange): Promise<boolean> {
    await this.escalationGuard.lock();
    const target = userTarget({ id, username });
    const before = await this.grants.direct(id);
    const after = changeGrants(before, change);
    await this.escalationGuard.requireCover(caller, after, target);
    if (isSameGrants(before, after)) return false;
    await this.grants.replaceDirect(id, after);
    await this.audit.record(permissionActs.changeOfUser, {
      target,
      before: { permissions: auditedGrants(mergeGrants(before)) },
      after: { permissions: auditedGrants(mergeGrants(after)) },
    });
    return true;
  }
}
