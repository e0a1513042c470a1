import { CanActivate } from '@nestjs/common';
import { Observable, of } from 'rxjs';
import { Caller } from '../../../src/platform/context';
import {
  OwnedBy,
  OwnershipRule,
  PreValidationGuards,
  AllowDuring,
  AllowClients,
  InOrganization,
  RequirePermission,
  Public,
  RequireRecentLogin,
  Authenticated,
} from '../../../src/platform/access/policy';

export const ANN = 'ann';
const things = new Map<string, string | null>([
  ['anns', ANN],
  ['bobs', 'bob'],
  ['nobodys', null],
]);

export class ThingOwner extends OwnershipRule {
  async isOwner({ userId }: Caller, params: Readonly<Record<string, string>>): Promise<boolean> {
    return things.get(params['id'] ?? '') === userId;
  }
}

export class Closed implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

export class Observing implements CanActivate {
  canActivate(): Observable<boolean> {
    return of(true);
  }
}

export class Routes {
  @OwnedBy(ThingOwner)
  @RequirePermission('thing:update')
  owned(): void {}

  @RequirePermission('one:update', 'two:update')
  both(): void {}

  @OwnedBy(ThingOwner)
  @RequirePermission('thing:update')
  @InOrganization({ parameter: 'id' })
  inPath(): void {}

  @Authenticated()
  own(): void {}

  @Authenticated()
  @AllowDuring('mfa_enrolment')
  enrolment(): void {}

  @Authenticated()
  @AllowDuring('password_change')
  password(): void {}

  @Authenticated()
  @AllowDuring('terms')
  terms(): void {}

  @Authenticated()
  @RequireRecentLogin({ factors: 1 })
  one(): void {}

  @Authenticated()
  @RequireRecentLogin()
  usual(): void {}

  @Authenticated()
  @RequireRecentLogin({ factors: 2 })
  two(): void {}

  @Authenticated()
  @RequireRecentLogin({ factors: 'enrolled' })
  enrolled(): void {}

  @Authenticated()
  @AllowClients('one:read', 'two:read')
  clients(): void {}

  @Authenticated()
  @AllowClients()
  anyClient(): void {}

  @RequirePermission('one:update')
  @AllowClients('one:update')
  clientsWrite(): void {}

  @Public()
  @PreValidationGuards(Closed)
  closed(): void {}

  @RequirePermission('one:update')
  @PreValidationGuards(Closed)
  closedToOthers(): void {}

  @Public()
  @PreValidationGuards(Observing)
  observed(): void {}

  undeclared(): void {}
}
