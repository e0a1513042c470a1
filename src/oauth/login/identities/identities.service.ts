import { Injectable } from '@nestjs/common';
import { AuditService } from '../../../audit';
import { LoginSession, WaysInService } from '../../../organizations/settings';
import { accessErrors } from '../../../platform/access';
import { Caller } from '../../../platform/context';
import { newId } from '../../../platform/crypto';
import { Transactions } from '../../../platform/database';
import { ErrorFactory, platformErrors } from '../../../platform/errors';
import { SessionsService } from '../../../session';
import { AccountEventsService, UserView, userView, UserRepository } from '../../../users';
import { oauthErrors } from '../third-party-login.errors';
import { IdentityProviderRegistry, ProviderView } from '../providers';
import { Identity } from './identity.entity';
import { IdentityRepository } from './identity.repository';
import { mayBeLinked, subjectHint, subjectKey, ExternalIdentity } from './external-identity';
import { identityActs } from '../third-party-login.acts';

/** Links between third-party accounts and accounts of this service. */
@Injectable()
export class IdentitiesService {
  constructor(
    private readonly repository: IdentityRepository,
    private readonly users: UserRepository,
    private readonly sessions: SessionsService,
    private readonly identityProviders: IdentityProviderRegistry,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
    private readonly accountEvents: AccountEventsService,
    private readonly waysIn: WaysInService,
  ) {}

  find(identity: ExternalIdentity): Promise<Identity | undefined> {
    return this.repository.find(subjectKey(identity));
  }

  /** Like `attach`, and notifies the owner of a new link. */
  async link(user: UserView, identity: ExternalIdentity, createError: ErrorFactory): Promise<void> {
    if (await this.attach(user, identity, createError)) await this.announce(user);
  }

  /**
   * Links the identity, or records the use of an existing link. Runs in the caller's transaction. Returns true for a
   * new link, and sends no notice, because a new account needs none. Errors: `identity_taken` if another user has it,
   * because a link never moves, `email_mismatch` as `mayBeLinked` says, and `createError` if the provider has been
   * disabled, changed or deleted.
   */
  async attach(
    user: Pick<UserView, 'id' | 'username' | 'emailKey' | 'emailVerified'>,
    identity: ExternalIdentity,
    createError: ErrorFactory,
  ): Promise<boolean> {
    const { id: userId, username } = user;
    const { provider } = identity;
    if (!(await this.identityProviders.hold(provider))) throw createError();
    const key = subjectKey(identity);
    const seen = { providerName: provider.name, providerLabel: provider.label, subjectHint: subjectHint(identity) };
    const known = await this.repository.find(key);
    if (known) {
      if (known.userId !== userId) throw oauthErrors.identityTaken();
      await this.repository.touch(known.id, seen, key);
      return false;
    }
    if (!mayBeLinked(identity, user)) throw oauthErrors.emailMismatch();
    const id = newId();
    await this.repository.insert({ id, userId, providerId: provider.id, ...seen }, key);
    await this.audit.record(identityActs.link, {
      actor: { id: userId, username },
      target: { type: 'identity', id, label: provider.name },
      after: { provider: provider.name, issuer: key.issuer, subject_hint: seen.subjectHint, user_id: userId },
    });
    return true;
  }

  /**
   * Whether the session may add a login by the provider. That of an organization is judged by the address instead, as
   * `mayBeLinked` says, so that members can link it before their first login by it.
   */
  async isLinkable(
    session: LoginSession,
    { name, organizationId }: ProviderView,
    { emailKey }: Pick<UserView, 'emailKey'>,
  ): Promise<boolean> {
    return organizationId !== null || this.waysIn.mayChange(session, name, emailKey);
  }

  /** For the start of a link. Errors: `login_method_not_accepted`. */
  async requireLinkable(caller: Caller, provider: ProviderView): Promise<void> {
    const user = await this.users.findById(caller.userId);
    if (user && !(await this.isLinkable(caller, provider, user))) throw accessErrors.loginMethodNotAccepted();
  }

  /**
   * Links the identity to the caller's account. Errors: `identity_taken`, `email_mismatch`, `login_method_not_accepted`,
   * `state_invalid` if the account, session or provider is no longer valid.
   */
  async bind(caller: Caller, identity: ExternalIdentity): Promise<void> {
    await this.transactions.run(async () => {
      const user = await this.users.lock(caller.userId);
      if (user?.status !== 'active') throw oauthErrors.stateInvalid();
      // The session may have been ended, for example by a password change. No login method must be added after that.
      if (!(await this.sessions.isLive(caller.sessionId, user.id))) throw oauthErrors.stateInvalid();
      if (!(await this.isLinkable(caller, identity.provider, user))) throw accessErrors.loginMethodNotAccepted();
      await this.link(userView(user), identity, oauthErrors.stateInvalid);
    });
  }

  list(userId: string): Promise<Identity[]> {
    return this.repository.listOf(userId);
  }

  /** Same as `list`, for any user. Errors: `not_found`. */
  async listOf(userId: string): Promise<Identity[]> {
    if (!(await this.users.findById(userId))) throw platformErrors.notFound();
    return this.list(userId);
  }

  private announce(user: UserView): Promise<void> {
    return this.accountEvents.announce({ type: 'identity_changed', user });
  }
}
