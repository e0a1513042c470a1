import { Injectable } from '@nestjs/common';
import { FullAuthority } from '../../platform/access';
import { everythingIn, WILDCARD } from '../permission';
import { PrivilegeEscalationGuardService } from './privilege-escalation-guard.service';

/** Whether a user holds every permission in every scope. */
@Injectable()
export class FullAuthorityService extends FullAuthority {
  constructor(private readonly escalationGuard: PrivilegeEscalationGuardService) {
    super();
  }

  isHeldBy(userId: string, target: { readonly type: string; readonly id: string }): Promise<boolean> {
    return this.escalationGuard.covers({ userId }, [everythingIn(WILDCARD)], target);
  }
}
