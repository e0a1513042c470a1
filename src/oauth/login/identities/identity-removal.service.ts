import { Injectable } from '@nestjs/common';
import { AuditService } from '../../../audit';
import { WaysInService } from '../../../organizations/settings';
import { Caller } from '../../../platform/context';
import { Transactions } from '../../../platform/database';
import { platformErrors } from '../../../platform/errors';
import { sessionErrors } from '../../../session';
import { AccountEventsService, CredentialSourceRegistry, userView, UserRepository } from '../../../users';
import { IdentityRepository } from './identity.repository';
import { unlinkEntry } from './unlink-entry';

/** Unlinks third-party accounts for their owner. */
@Injectable()
export class IdentityRemovalService {
  constructor(
    private readonly repository: IdentityRepository,
    private readonly users: UserRepository,
    private readonly credentials: CredentialSourceRegistry,
    private readonly waysIn: WaysInService,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
    private readonly accountEvents: AccountEventsService,
  ) {}

  /** Errors: `not_found`, `login_method_not_accepted`, `last_credential` if the account would have no login method left. */
  async unlink(id: string, caller: Caller): Promise<void> {
    await this.transactions.run(async () => {
      // The lock serializes removals of login methods, so that two removals cannot both leave the other's method.
      const user = await this.users.lock(caller.userId);
      if (!user) throw sessionErrors.sessionRevoked();
      const identity = await this.repository.findOwn(id, user.id);
      if (!identity) throw platformErrors.notFound();
      await this.waysIn.requireForIdentity(caller, identity.providerName, user.emailKey);
      await this.repository.delete(id);
      await this.credentials.assertHasCredential(user.id);
      await this.audit.record(unlinkEntry(identity));
      await this.accountEvents.announce({ type: 'identity_changed', user: userView(user) });
    });
  }
}
