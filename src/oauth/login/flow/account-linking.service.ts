import { Injectable } from '@nestjs/common';
import { mfaChallengeAnswer, MfaChallengeDto, RegistrationService } from '../../../auth';
import {
  AttemptOrigin,
  AuthenticationService,
  isLoggedIn,
  LoggedIn,
  LoginCompletionService,
  LoginResult,
  MfaChallengeService,
} from '../../../auth/login';
import { MfaSessionCredentials } from '../../../mfa';
import { checkInput } from '../../../platform/http/input';
import { isJsonObject } from '../../../platform/util';
import { UserView } from '../../../users';
import { accountFace, IdentitiesService, provenEmail } from '../identities';
import { oauthErrors } from '../third-party-login.errors';
import { AccountLink, AccountLinkTokensService } from './account-link-tokens.service';
import { BindRegisterDto } from './dto/bind.dto';
import { IdentityLinkAction } from './identity-link.action';

/** Reads the MFA session of a request, from the token in its body or from its cookies. */
export type ReadMfaSession = (token: string | undefined) => Promise<MfaSessionCredentials>;

/** Links a third-party identity to a new account, or to an existing account that the user logs in to. */
@Injectable()
export class AccountLinkingService {
  constructor(
    private readonly linkTokens: AccountLinkTokensService,
    private readonly identities: IdentitiesService,
    private readonly registration: RegistrationService,
    private readonly authentication: AuthenticationService,
    private readonly challenges: MfaChallengeService,
    private readonly completion: LoginCompletionService,
    private readonly links: IdentityLinkAction,
  ) {}

  /** Errors: those of a registration, `identity_taken`, `email_mismatch`, `temp_token_invalid`. */
  register(
    link: AccountLink,
    { temp_token: _token, ...body }: BindRegisterDto,
    origin: AttemptOrigin,
  ): Promise<LoggedIn> {
    return this.linkTokens.attempt(link, () => this.createAccount(link, body, origin));
  }

  /**
   * Accepts the body of a login, or that of `/api/auth/login/mfa` after `mfa_required`. Links only after both factors
   * are verified, and only what may be linked. Errors: those of a login, `identity_taken`, `temp_token_invalid`.
   */
  logIn(link: AccountLink, body: unknown, origin: AttemptOrigin, readMfaSession: ReadMfaSession): Promise<LoginResult> {
    const proof = withoutToken(body);
    const actions = [this.links.forLink(link)];
    const work = async (): Promise<LoginResult> => {
      if (!isJsonObject(proof) || !('method' in proof)) return this.authentication.login(proof, origin, actions);
      const answer = checkInput(MfaChallengeDto, proof);
      const session = await readMfaSession(answer.mfa_token);
      return this.challenges.complete(mfaChallengeAnswer(answer, session), origin, actions);
    };
    return this.linkTokens.attempt(link, work, isLoggedIn);
  }

  private async createAccount(
    link: AccountLink,
    body: Omit<BindRegisterDto, 'temp_token'>,
    origin: AttemptOrigin,
  ): Promise<LoggedIn> {
    const email = provenEmail(link);
    const method = `oauth:${link.provider.name}`;
    let loggedIn: LoggedIn | undefined;
    await this.registration.register({ ...accountFace(link), ...body }, origin, {
      source: 'bind',
      ...(email && { provenEmail: email }),
      also: async ({ id: userId }) => {
        const createError = oauthErrors.tempTokenInvalid;
        const consume = async (user: UserView): Promise<void> => {
          await this.linkTokens.consume(link);
          await this.identities.attach(user, link, createError);
        };
        const result = await this.completion.complete({ userId, method, remember: true, createError, consume }, origin);
        if (isLoggedIn(result)) loggedIn = result;
      },
    });
    if (!loggedIn) throw new Error('The registration did not log in');
    return loggedIn;
  }
}

/** Removes the temp token. The login validates the rest, which no DTO has validated before. */
function withoutToken(body: unknown): unknown {
  if (!isJsonObject(body)) return body;
  const { temp_token: _token, ...proof } = body;
  return proof;
}
