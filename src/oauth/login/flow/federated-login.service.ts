import { Injectable } from '@nestjs/common';
import { AttemptOrigin, AuthenticationService, LoginResult, VerifiedLogin } from '../../../login';
import { ProblemError } from '../../../platform/errors';
import { EmailAddress, UserView, UserRepository, usersErrors, UserCache } from '../../../users';
import { IdentitiesService, provenEmail, ExternalIdentity } from '../identities';
import { oauthErrors } from '../third-party-login.errors';
import { AutoRegistrationService } from './auto-registration.service';
import { IdentityLinkAction } from './identity-link.action';

const MAX_TRIES = 3;
/** A concurrent request did the same; a second try finds it done. */
const OVERTAKEN: ReadonlySet<string> = new Set([
  oauthErrors.identityTaken.code,
  usersErrors.emailTaken.code,
  usersErrors.usernameTaken.code,
]);

const isOvertaken = (error: unknown): boolean => error instanceof ProblemError && OVERTAKEN.has(error.code);

/** Logs in the person that a provider authenticated, if their account is known. */
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
   * undefined: the account is not known. Errors: `state_invalid`, `user_disabled`, `account_locked`, `rate_limited`, those of
   * a registration.
   */
  async logIn(person: ExternalIdentity, origin: AttemptOrigin): Promise<LoginResult | undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(person, origin);
      } catch (error) {
        if (attempt === MAX_TRIES || !isOvertaken(error)) throw error;
      }
    }
  }

  private async attempt(person: ExternalIdentity, origin: AttemptOrigin): Promise<LoginResult | undefined> {
    const linked = await this.identities.find(person);
    if (linked) return this.authenticate(linked.userId, person, origin);
    const email = provenEmail(person);
    const owner = email && (await this.users.findByEmail(email.key, { verified: true }));
    if (owner) return this.authenticate(owner.id, person, origin, email);
    return this.newcomers.admit(person, origin);
  }

  /** @param matched the e-mail by which the account was found; it must still be theirs when the identity is linked. */
  private async authenticate(
    userId: string,
    person: ExternalIdentity,
    origin: AttemptOrigin,
    matched?: EmailAddress,
  ): Promise<LoginResult> {
    const user = await this.userCache.get(userId);
    const login: VerifiedLogin = {
      userId,
      method: `oauth:${person.provider.name}`,
      remember: true,
      refusal: oauthErrors.stateInvalid,
      consume: (current) => this.assertUnchanged(current, person, matched),
      // A new link is a new way to log in: not before the second factor.
      actions: [this.links.forIdentity(person, matched)],
    };
    // The provider verified the secret already, but a locked account is locked for every way to log in.
    return this.authentication.authenticate({ user, key: userId, action: 'login' }, origin, async () => login);
  }

  /** The identity, or the e-mail, must still lead to the account: a removed link must not come back. */
  private async assertUnchanged(user: UserView, person: ExternalIdentity, matched?: EmailAddress): Promise<void> {
    if (matched === undefined) {
      if ((await this.identities.find(person))?.userId !== user.id) throw oauthErrors.identityTaken();
    } else if (!user.emailVerified || user.emailKey !== matched.key) throw usersErrors.emailTaken();
  }
}
