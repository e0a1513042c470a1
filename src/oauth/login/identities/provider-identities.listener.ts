import { Injectable, OnModuleInit } from '@nestjs/common';
import { AuditService } from '../../../audit';
import { DomainEvents } from '../../../platform/jobs/events';
import { rbacErrors } from '../../../rbac';
import { AccountEventsService, CredentialSourceRegistry, UserRepository, UserView, userView } from '../../../users';
import { loginProviderDeleting, ProviderDeletionEvent } from '../providers';
import { loginProviderActs } from '../third-party-login.acts';
import { Identity } from './identity.entity';
import { IdentityRepository } from './identity.repository';
import { unlinkEntry } from './unlink-entry';

/** A provider may have very many identities: each statement handles this many. */
const BATCH = 1_000;

/** Prevents the deletion of a login provider that has linked identities, or unlinks them if it is forced. */
@Injectable()
export class ProviderIdentitiesListener implements OnModuleInit {
  constructor(
    private readonly repository: IdentityRepository,
    private readonly users: UserRepository,
    private readonly credentials: CredentialSourceRegistry,
    private readonly audit: AuditService,
    private readonly accountEvents: AccountEventsService,
    private readonly events: DomainEvents,
  ) {}

  onModuleInit(): void {
    this.events.on(loginProviderDeleting, (deletion) => this.settle(deletion));
  }

  /** Errors: `in_use`, `last_credential` if the caller could no longer log in. */
  private async settle({ providerId, caller, force, done }: ProviderDeletionEvent): Promise<void> {
    const links = await this.repository.countOf(providerId);
    if (links === 0) return;
    if (!force) throw rbacErrors.inUse();
    await this.unlinkAll(providerId);
    await this.credentials.assertHasCredential(caller.userId);
    done['identities_deleted'] = links;
  }

  private async unlinkAll(providerId: string): Promise<void> {
    const owners = new Map<string, UserView>();
    let batch: Identity[];
    do {
      batch = await this.repository.deleteSome(providerId, BATCH);
      await this.audit.recordAll(batch.map((identity) => unlinkEntry(identity, loginProviderActs.delete.action)));
      const users = await this.users.findMany(batch.map(({ userId }) => userId));
      for (const user of users) owners.set(user.id, userView(user));
    } while (batch.length === BATCH);
    await this.accountEvents.announceAll([...owners.values()].map((user) => ({ type: 'identity_changed', user })));
  }
}
