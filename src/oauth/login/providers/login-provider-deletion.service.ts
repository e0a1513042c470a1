import { Injectable } from '@nestjs/common';
import { AuditService } from '../../../audit';
import { Caller } from '../../../platform/context';
import { Transactions } from '../../../platform/database';
import { platformErrors } from '../../../platform/errors';
import { DomainEvents } from '../../../platform/jobs/events';
import { RolesService } from '../../../rbac';
import { loginProviderDeleting, ProviderDeletionEvent } from './login-provider.events';
import { LoginProvider } from './login-provider.entity';
import { LoginProviderRepository } from './login-provider.repository';
import { describeProvider, targetOf } from './login-provider.view';
import { ProviderAdapters } from './provider-adapters';
import { ProviderGuard } from './provider.guard';
import { StoredIdentityProviderRegistry } from './stored-identity-provider.registry';
import { loginProviderActs } from '../third-party-login.acts';

/** Deletes login providers, with `force` also the links of their users. */
@Injectable()
export class LoginProviderDeletionService {
  constructor(
    private readonly transactions: Transactions,
    private readonly repository: LoginProviderRepository,
    private readonly adapters: ProviderAdapters,
    private readonly guard: ProviderGuard,
    private readonly roles: RolesService,
    private readonly identityProviders: StoredIdentityProviderRegistry,
    private readonly events: DomainEvents,
    private readonly audit: AuditService,
  ) {}

  /**
   * Users who registered through the provider keep their accounts. With `force` they lose the link.
   * Errors: `not_found`, `in_use` while organizations accept it by name, those of listeners (`loginProviderDeleting`). With `force` also those of the guard, and
   * `last_admin` if no administrator could log in any more.
   */
  async delete(caller: Caller, id: string, force: boolean): Promise<void> {
    const seen = await this.repository.find(id);
    if (!seen) throw platformErrors.notFound();
    await this.transactions.run(async () => {
      const remove = (): Promise<void> => this.remove(seen, { providerId: id, caller, force, done: {} });
      // Takes the authority lock first, as every other change of providers does, to prevent deadlocks.
      if (force) await this.guard.requireEverything(caller);
      await this.guard.requireUnlisted(seen.name);
      return force ? this.roles.keepAdministrators(remove) : remove();
    });
  }

  private async remove({ name }: LoginProvider, deletion: ProviderDeletionEvent): Promise<void> {
    await this.repository.lock();
    // Waits for links in progress, so that they are counted.
    const before = await this.repository.findLocked(deletion.providerId);
    if (!before) throw platformErrors.notFound();
    if (before.name !== name) throw platformErrors.versionConflict();
    await this.events.publish(loginProviderDeleting, deletion);
    await this.repository.delete(before.id);
    await this.identityProviders.invalidate();
    await this.audit.record(loginProviderActs.delete, {
      target: targetOf(before),
      before: describeProvider(before, this.adapters.presetOf(before.template)),
      after: deletion.done,
    });
  }
}
