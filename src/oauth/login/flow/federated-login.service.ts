import { Injectable } from '@nestjs/common';
import { AttemptOrigin, AuthenticationService, LoginResult, VerifiedLogin, loginActs } from '../../../auth/login';
import { ProblemError } from '../../../platform/errors';
import { EmailAddress, UserView, UserRepository, usersErrors, UserCache } from '../../../users';
import { IdentitiesService, provenEmail, ExternalIdentity } from '../identities';
import { oauthErrors } from '../third-party-login.errors';
import { AutoRegistrationService } from './auto-registration.service';
import { IdentityLinkAction } from './identity-link.action';

const MAX_TRIES = 3;
/** A concurrent request created the same record. A retry finds it. */
const OVERTAKEN: ReadonlySet<string> = new Set([
  oauthErrors.identityTaken.code,
  usersErrors.emailTaken.code,
  usersErrors.usernameTaken.code,
]);

const isOvertaken = (error: unknown): boolean => error instanceof ProblemError && OVERTAKEN.has(error.code);

/** Logs in a user after the authentication at a provider, if the account is known. */
@Injectable()
export class FederatedLoginService {
  constructor(
    private readonly identities: IdentitiesService,
    private readonly users: UserRepository,
    private readonly userCache: UserCache,
    private readonly authentication: AuthenticationService,
    private readonly newcomers: AutoRegistrationService,
    private readonly links: IdentityLinkAction,
  ) {}

  /**
   * Undefined: the account is unknown. Errors: `state_invalid`, `user_disabled`, `account_locked`, `rate_limited`,
   * those of a registration.
   */
  async logIn(identity: ExternalIdentity, origin: AttemptOrigin): Promise<LoginResult | undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(identity, origin);
      } catch (error) {
        if (attempt === MAX_TRIES || !isOvertaken(error)) throw error;
      }
    }
  }

  private async attempt(identity: ExternalIdentity, origin: AttemptOrigin): Promise<LoginResult | undefined> {
    const linked = await this.identities.find(identity);
    if (linked) return this.authenticate(linked.userId, identity, origin);
    const email = provenEmail(identity);
    const owner = email && (await this.users.findByEmail(email.key, { verified: true }));
    if (owner) return this.authenticate(owner.id, identity, origin, email);
    return this.newcomers.admit(identity, origin);
  }

  /**
   * @param matched the e-mail address by which the account was found. It must still belong to it when the identity is
   *   linked.
   */
  private async authenticate(
    userId: string,
    identity: ExternalIdentity,
    origin: AttemptOrigin,
    matched?: EmailAddress,
  ): Promise<LoginResult> {
    const user = await this.userCache.get(userId);
    const login: VerifiedLogin = {
      userId,
      method: `oauth:${identity.provider.name}`,
      remember: true,
      createError: oauthErrors.stateInvalid,
      consume: (current) => this.assertUnchanged(current, identity, matched),
      // A new link is a new way to log in, so it is added only after the second factor.
      actions: [this.links.forIdentity(identity, matched)],
    };
    // The provider has verified the user, but an account lock applies to all login methods.
    return this.authentication.authenticate({ user, key: userId, act: loginActs.login }, origin, async () => login);
  }

  /** The identity or the e-mail address must still belong to the account, so that a removed link is not restored. */
  private async assertUnchanged(user: UserView, identity: ExternalIdentity, matched?: EmailAddress): Promise<void> {
    if (matched === undefined) {
      if ((await this.identities.find(identity))?.userId !== user.id) throw oauthErrors.identityTaken();
    } else if (!user.emailVerified || user.emailKey !== matched.key) throw usersErrors.emailTaken();
  }
}
