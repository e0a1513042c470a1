import { Injectable } from '@nestjs/common';
import { Audit } from '../../audit';
import { Caller } from '../../platform/context';
import { newId } from '../../platform/crypto';
import { Transactions } from '../../platform/database';
import { ErrorFactory, platformErrors } from '../../platform/errors';
import { rbacErrors } from '../../rbac';
import { sessionErrors } from '../../session';
import { CredentialSources, KnownUser, UserRepository } from '../../users';
import { oauthErrors } from '../oauth.errors';
import { ProviderDeletion, ProviderDeletions, Upstreams } from '../providers';
import { Identity } from './identity.entity';
import { IdentityRepository } from './identity.repository';
import { subjectHint, subjectKey, UpstreamPerson } from './upstream-person';

/** Which third-party accounts log in to which of ours. */
@Injectable()
export class Identities {
  constructor(
    private readonly repository: IdentityRepository,
    private readonly users: UserRepository,
    private readonly credentials: CredentialSources,
    private readonly upstreams: Upstreams,
    private readonly transactions: Transactions,
    private readonly audit: Audit,
    deletions: ProviderDeletions,
  ) {
    deletions.before((deletion) => this.settle(deletion));
  }

  find(person: UpstreamPerson): Promise<Identity | undefined> {
    return this.repository.find(subjectKey(person));
  }

  /**
   * In the caller's transaction: links the person, or notes a use of the link. Errors: `identity_taken`, as it never moves;
   * `refusal` where the provider is no longer the one that vouched for the person: it was disabled, changed or deleted.
   */
  async link(
    { id: userId, username }: Pick<KnownUser, 'id' | 'username'>,
    person: UpstreamPerson,
    refusal: ErrorFactory,
  ): Promise<void> {
    const { provider } = person;
    if (!(await this.upstreams.hold(provider))) throw refusal();
    const key = subjectKey(person);
    const seen = { providerName: provider.name, providerLabel: provider.label, subjectHint: subjectHint(person) };
    const known = await this.repository.find(key);
    if (known) {
      if (known.userId !== userId) throw oauthErrors.identityTaken();
      await this.repository.touch(known.id, seen, key);
      return;
    }
    const id = newId();
    await this.repository.insert({ id, userId, providerId: provider.id, ...seen }, key);
    await this.audit.record({
      action: 'identity.link',
      actor: { id: userId, username },
      target: { type: 'identity', id, label: provider.name },
      after: { provider: provider.name, issuer: key.issuer, subject_hint: seen.subjectHint, user_id: userId },
    });
  }

  /** Links the person to the caller's account. Errors: `identity_taken`, `state_invalid` where account or provider no longer stand. */
  async bind(caller: Caller, person: UpstreamPerson): Promise<void> {
    await this.transactions.run(async () => {
      const user = await this.users.lock(caller.userId);
      if (user?.status !== 'active') throw oauthErrors.stateInvalid();
      await this.link(user, person, oauthErrors.stateInvalid);
    });
  }

  list(userId: string): Promise<Identity[]> {
    return this.repository.listOf(userId);
  }

  /** Errors: `not_found`, `last_credential` where the account could not be entered any more. */
  async unlink(id: string, caller: Caller): Promise<void> {
    await this.transactions.run(async () => {
      // Two ways in that go at one time follow each other here, so that the second sees the first gone.
      const user = await this.users.lock(caller.userId);
      if (!user) throw sessionErrors.sessionRevoked();
      const identity = await this.repository.findOwn(id, user.id);
      if (!identity) throw platformErrors.notFound();
      await this.repository.delete(id);
      await this.credentials.refuseIfNone(user.id);
      await this.audit.record({
        action: 'identity.unlink',
        target: { type: 'identity', id, label: identity.providerName },
        before: { provider: identity.providerName, subject_hint: identity.subjectHint },
      });
    });
  }

  /** Links are no use without their provider. Errors: `in_use`, `last_credential` where the caller would be shut out. */
  private async settle({ providerId, caller, force }: ProviderDeletion): Promise<Record<string, number>> {
    const links = await this.repository.countOf(providerId);
    if (links === 0) return {};
    if (!force) throw rbacErrors.inUse();
    await this.repository.deleteOf(providerId);
    await this.credentials.refuseIfNone(caller.userId);
    return { identities_deleted: links };
  }
}
