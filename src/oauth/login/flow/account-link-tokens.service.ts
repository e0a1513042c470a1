import { Injectable } from '@nestjs/common';
import { loginErrors } from '../../../login';
import { randomToken, SecretBox, sha256 } from '../../../platform/crypto';
import { Transactions } from '../../../platform/database';
import { platformErrors, ProblemError } from '../../../platform/errors';
import { usersErrors } from '../../../users';
import { codeErrors } from '../../../verification';
import { ExternalIdentity } from '../identities';
import { oauthErrors } from '../third-party-login.errors';
import { ExternalProfile, IdentityProviderRegistry } from '../providers';
import { AccountLinkTokenRepository } from './account-link-token.repository';
import { FLOW_SECONDS } from './flow-cookies.service';

/** A person a provider vouched for, who is about to say which account they are linked to. */
export interface AccountLink extends ExternalIdentity {
  /** Hash of the temp token. */
  readonly id: string;
}

const MAX_FAILURES = 5;
const JUDGED: ReadonlySet<number> = new Set([400, 401, 403]);
/** Reports on the request, not on its proof: they do not reveal whether the proof was right. */
const NO_JUDGEMENT: ReadonlySet<string> = new Set([
  platformErrors.validationFailed.code,
  usersErrors.passwordTooCommon.code,
  loginErrors.loginMethodDisabled.code,
  codeErrors.verificationDisabled.code,
]);

/** A wrong password or code, a disabled user: a judgement. A typo in a field, a name that is taken, an overload: none. */
const isJudgement = (error: unknown): boolean =>
  error instanceof ProblemError && JUDGED.has(error.status) && !NO_JUDGEMENT.has(error.code);

/** Temp tokens: each opens the binding of one person in one browser, once, and nothing else. */
@Injectable()
export class AccountLinkTokensService {
  constructor(
    private readonly repository: AccountLinkTokenRepository,
    private readonly upstreams: IdentityProviderRegistry,
    private readonly transactions: Transactions,
    private readonly box: SecretBox,
  ) {}

  /** The temp token; 10 minutes. */
  async issue({ provider, profile }: ExternalIdentity, browser: string): Promise<string> {
    const token = randomToken();
    const id = sha256(token);
    const sealed = this.box.seal(JSON.stringify(profile), contextOfProfile(id));
    const { id: providerId, version: providerVersion, name: providerName } = provider;
    await this.repository.insert(
      { id, providerId, providerVersion, providerName, browser, profile: sealed },
      FLOW_SECONDS,
    );
    return token;
  }

  /**
   * @param browsers the hashes of the secrets that the browser holds.
   * Errors: `temp_token_invalid`, also when the provider was disabled or changed meanwhile.
   */
  async open(token: string | undefined, browsers: readonly string[]): Promise<AccountLink> {
    const row = token === undefined ? undefined : await this.repository.find(sha256(token), MAX_FAILURES);
    if (!row || !browsers.includes(row.browser)) throw oauthErrors.tempTokenInvalid();
    const provider = (await this.upstreams.find(row.providerName))?.provider;
    if (provider?.id !== row.providerId || provider.version !== row.providerVersion) {
      throw oauthErrors.tempTokenInvalid();
    }
    const profile = this.box.openIfPossible(row.profile, contextOfProfile(row.id));
    if (profile === undefined) throw oauthErrors.tempTokenInvalid();
    return { id: row.id, provider, profile: JSON.parse(profile) as ExternalProfile };
  }

  /**
   * Does what may spend the ticket; the fifth failure ends it. What comes back without being done is no failure. Errors:
   * `temp_token_invalid`, those of the work.
   */
  async attempt<T>(
    { id }: AccountLink,
    work: () => Promise<T>,
    isDone: (result: T) => boolean = () => true,
  ): Promise<T> {
    // Counted before the work and in a separate transaction: parallel attempts cannot slip past, and a roll-back keeps
    // the count.
    const isLeft = await this.transactions.run(() => this.repository.countFailure(id, MAX_FAILURES));
    if (!isLeft) throw oauthErrors.tempTokenInvalid();
    try {
      const result = await work();
      if (!isDone(result)) await this.repository.forgiveFailure(id);
      return result;
    } catch (error) {
      if (!isJudgement(error)) await this.repository.forgiveFailure(id);
      throw error;
    }
  }

  /** In the transaction of what it is spent for. Errors: `temp_token_invalid`. */
  async consume({ id }: Pick<AccountLink, 'id'>): Promise<void> {
    if (!(await this.repository.consume(id))) throw oauthErrors.tempTokenInvalid();
  }
}

const contextOfProfile = (id: string): string => `oauth_bind_ticket|${id}|profile`;
