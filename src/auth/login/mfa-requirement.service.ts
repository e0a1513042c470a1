import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit';
import { MfaSessionsService, MfaSessionToken, SecondFactorMethod, SecondFactorsService } from '../../mfa';
import { User, userTarget } from '../../users';
import { PostLoginAction } from './post-login-action.registry';
import { loginActs } from './login.acts';

/** A login whose first factor was correct. */
export interface FirstFactorLogin {
  readonly userId: string;
  /** Type of the login method, or `oauth:<provider>`. */
  readonly method: string;
  /** false means that the cookies end with the browser. */
  readonly remember: boolean;
  /** Run in the transaction that opens the session, so after the second factor. */
  readonly actions?: readonly PostLoginAction[];
  /** Authentication Method References (RFC 8176). */
  readonly amr?: readonly string[];
  /** Whether two factors were verified, so that no second one is required. */
  readonly isMultiFactor?: boolean;
}

/** The first factor was correct and the second is required. There is no session yet. */
export interface MfaRequired {
  readonly pending: MfaSessionToken;
  /** The second factors of the user. */
  readonly methods: readonly SecondFactorMethod[];
}

/** Decides whether a login needs a second factor, and begins the MFA session in which it is verified. */
@Injectable()
export class MfaRequirementService {
  constructor(
    private readonly secondFactors: SecondFactorsService,
    private readonly sessions: MfaSessionsService,
    private readonly audit: AuditService,
  ) {}

  /** Whether the login needs a second factor, except in a trusted browser. */
  async isRequired({ userId, isMultiFactor = false }: FirstFactorLogin): Promise<boolean> {
    return !isMultiFactor && (await this.secondFactors.isMfaRequired(userId));
  }

  /**
   * Begins and audits an MFA session, or returns undefined when the user trusts the browser that sent the tokens. Call
   * in the transaction of the login, with the user locked.
   */
  async begin(
    { method, remember, amr = [], actions }: FirstFactorLogin,
    user: User,
    trustTokens: readonly string[],
  ): Promise<MfaRequired | undefined> {
    if (await this.secondFactors.isTrusted(user, trustTokens)) return undefined;
    const kept = actions?.find(({ isKeptForMfa }) => isKeptForMfa);
    const deferred = kept && { deferred: JSON.stringify(kept) };
    const pending = await this.sessions.begin({ user, method, amr, remember, ...deferred });
    await this.audit.record(loginActs.requireSecondFactor, {
      actor: { id: user.id, username: user.username },
      target: userTarget(user),
      after: { method },
    });
    return { pending, methods: await this.secondFactors.methodsOf(user.id) };
  }
}
