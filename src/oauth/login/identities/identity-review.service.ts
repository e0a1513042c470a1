import { Injectable, OnModuleInit } from '@nestjs/common';
import { AuditService } from '../../../audit';
import { SecondFactorPolicy } from '../../../platform/access';
import { DomainEvents } from '../../../platform/jobs/events';
import {
  AccountEventsService,
  CredentialSourceRegistry,
  UserView,
  PasswordResetting,
  passwordResetting,
} from '../../../users';
import { Identity } from './identity.entity';
import { IdentityRepository } from './identity.repository';
import { unlinkEntry } from './unlink-entry';

/**
 * Offers at a password reset to unlink accounts linked since the last reset, because an attacker may have linked them.
 */
@Injectable()
export class IdentityReviewService implements OnModuleInit {
  constructor(
    private readonly repository: IdentityRepository,
    private readonly credentials: CredentialSourceRegistry,
    private readonly secondFactors: SecondFactorPolicy,
    private readonly audit: AuditService,
    private readonly accountEvents: AccountEventsService,
    private readonly events: DomainEvents,
  ) {}

  onModuleInit(): void {
    this.events.on(passwordResetting, (resetting) => this.review(resetting));
  }

  /** Errors: `last_credential` if the account would have no login method left. */
  private async review({ user, unlinkIdentities, identities }: PasswordResetting): Promise<void> {
    const found = await this.repository.review(user.id);
    if (found.length === 0) return;
    const unlinked = unlinkIdentities && (await this.mayUnlink(user));
    if (unlinked) await this.unlink(user, found);
    identities.push(
      ...found.map(({ providerName: provider, providerLabel: label, subjectHint, linkedAt }) => ({
        provider,
        label,
        subjectHint,
        linkedAt,
        unlinked,
      })),
    );
  }

  /**
   * A reset code proves only one factor. Users with a second factor unlink after a login, so that a stolen mailbox is
   * not enough.
   */
  private async mayUnlink({ id }: UserView): Promise<boolean> {
    const { isOffered, isEnrolled } = await this.secondFactors.get(id);
    return !(isOffered && isEnrolled);
  }

  private async unlink(user: UserView, identities: readonly Identity[]): Promise<void> {
    await this.repository.deleteAll(identities.map(({ id }) => id));
    await this.credentials.assertHasCredential(user.id);
    await this.audit.recordAll(
      identities.map((identity) => ({
        ...unlinkEntry(identity, 'password.reset'),
        actor: { id: user.id, username: user.username },
      })),
    );
    await this.accountEvents.announce({ type: 'identity_changed', user });
  }
}
