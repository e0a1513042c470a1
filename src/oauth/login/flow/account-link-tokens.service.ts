import { Injectable } from '@nestjs/common';
import { loginErrors } from '../../../auth/login';
import { randomToken, SecretBox, sha256 } from '../../../platform/crypto';
import { Transactions } from '../../../platform/database';
import { platformErrors, ProblemError } from '../../../platform/errors';
import { ShownUsersService, usersErrors } from '../../../users';
import { codeErrors } from '../../../verification';
import { ExternalIdentity } from '../identities';
import { oauthErrors } from '../third-party-login.errors';
import { ExternalProfile, IdentityProviderRegistry } from '../providers';
import { AccountLinkTokenRepository } from './account-link-token.repository';
import { FLOW_SECONDS } from './flow-cookies.service';
import { ProviderDomainsService } from './provider-domains.service';

/** A user authenticated by a provider, who is about to choose the account to link. */
export interface AccountLink extends ExternalIdentity {
  /** Hash of the temp token. */
  readonly id: string;
}

export interface IssuedLinkToken {
  readonly token: string;
  readonly profile: ExternalProfile;
}

const MAX_FAILURES = 5;
const REJECTED_STATUSES: ReadonlySet<number> = new Set([400, 401, 403]);
/** Errors that do not depend on the proof, so they do not reveal whether it was correct. */
const OTHER_ERRORS: ReadonlySet<string> = new Set([
  platformErrors.validationFailed.code,
  usersErrors.passwordTooCommon.code,
  loginErrors.loginMethodDisabled.code,
  codeErrors.verificationDisabled.code,
]);

/**
 * Whether the error counts as a failed attempt: a wrong password or code, or a disabled user. Invalid fields, taken
 * names and overload do not.
 */
const isFailedAttempt = (error: unknown): boolean =>
  error instanceof ProblemError && REJECTED_STATUSES.has(error.status) && !OTHER_ERRORS.has(error.code);

/** Temp tokens: each lets one user in one browser link an account, once. */
@Injectable()
export class AccountLinkTokensService {
  constructor(
    private readonly repository: AccountLinkTokenRepository,
    private readonly identityProviders: IdentityProviderRegistry,
    private readonly transactions: Transactions,
    private readonly box: SecretBox,
    private readonly domains: ProviderDomainsService,
    private readonly shown: ShownUsersService,
  ) {}

  /** Issues a temp token, valid for 10 minutes. Returns the profile as it may be shown, too. */
  async issue({ provider, profile }: ExternalIdentity, browser: string): Promise<IssuedLinkToken> {
    const token = randomToken();
    const id = sha256(token);
    const sealed = this.box.seal(JSON.stringify(profile), contextOfProfile(id));
    const { id: providerId, version: providerVersion, name: providerName } = provider;
    await this.repository.insert(
      { id, providerId, providerVersion, providerName, browser, profile: sealed },
      FLOW_SECONDS,
    );
    return { token, profile: await this.shownProfile(id, profile) };
  }

  /**
   * @param browsers the hashes of the browser's secrets.
   * Errors: `temp_token_invalid`, also when the provider has been disabled or changed, or may no longer speak for the
   * address.
   */
  async open(token: string | undefined, browsers: readonly string[]): Promise<AccountLink> {
    const row = token === undefined ? undefined : await this.repository.find(sha256(token), MAX_FAILURES);
    if (!row || !browsers.includes(row.browser)) throw oauthErrors.tempTokenInvalid();
    const provider = (await this.identityProviders.find(row.providerName))?.provider;
    if (provider?.id !== row.providerId || provider.version !== row.providerVersion) {
      throw oauthErrors.tempTokenInvalid();
    }
    const profile = this.box.openIfPossible(row.profile, contextOfProfile(row.id));
    if (profile === undefined) throw oauthErrors.tempTokenInvalid();
    const identity = { provider, profile: JSON.parse(profile) as ExternalProfile };
    if (!(await this.domains.allow(identity))) throw oauthErrors.tempTokenInvalid();
    return { id: row.id, provider, profile: await this.shownProfile(row.id, identity.profile) };
  }

  /**
   * Runs an attempt to link an account. The fifth failure invalidates the token. A result that is not done does not
   * count as a failure. Errors: `temp_token_invalid`, those of the attempt.
   */
  async attempt<T>(
    { id }: AccountLink,
    work: () => Promise<T>,
    isDone: (result: T) => boolean = () => true,
  ): Promise<T> {
    // Counts before the attempt and in a separate transaction, so that parallel attempts count and a rollback keeps the
    // count.
    const isLeft = await this.transactions.run(() => this.repository.countFailure(id, MAX_FAILURES));
    if (!isLeft) throw oauthErrors.tempTokenInvalid();
    try {
      const result = await work();
      if (!isDone(result)) await this.repository.forgiveFailure(id);
      return result;
    } catch (error) {
      if (!isFailedAttempt(error)) await this.repository.forgiveFailure(id);
      throw error;
    }
  }

  /** Runs in the transaction of the linking. Errors: `temp_token_invalid`. */
  async consume({ id }: Pick<AccountLink, 'id'>): Promise<void> {
    if (!(await this.repository.consume(id))) throw oauthErrors.tempTokenInvalid();
  }

  private async shownProfile(id: string, { avatar, ...rest }: ExternalProfile): Promise<ExternalProfile> {
    return avatar === undefined ? rest : { ...rest, avatar: (await this.shown.show({ id, avatar })).avatar };
  }
}

const contextOfProfile = (id: string): string => `oauth_bind_ticket|${id}|profile`;
