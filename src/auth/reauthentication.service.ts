import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit';
import { Caller, RequestOrigin } from '../platform/context';
import { Transactions } from '../platform/database';
import { AttemptOrigin, loginErrors } from './login';
import { platformErrors } from '../platform/errors';
import { sessionErrors, SessionsService } from '../session';
import { UserView, UserCache } from '../users';
import { MessageChannel } from '../messaging';
import { CodeProof } from '../verification';
import { ContactCodeProofService } from './contact-code-proof.service';
import { ReauthenticateDto } from './account/dto/account.dto';
import { PasswordService } from './password/password.service';
import { SecondFactorReauthenticationService } from './second-factor-reauthentication.service';
import { authActs } from './account/auth.acts';

/** RFC 8176 §2. */
const AMR: Record<MessageChannel, string[]> = { email: ['otp'], sms: ['sms'] };

/** Verifies a logged-in user again, which makes the login recent. */
@Injectable()
export class ReauthenticationService {
  constructor(
    private readonly userCache: UserCache,
    private readonly passwords: PasswordService,
    private readonly codes: ContactCodeProofService,
    private readonly secondFactors: SecondFactorReauthenticationService,
    private readonly sessions: SessionsService,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
  ) {}

  /**
   * Throws `validation_failed`, `invalid_credentials` for a wrong password, `code_invalid` for a wrong code (also when
   * the account has no verified contact of the channel), `account_locked`, `rate_limited` or `verification_disabled`.
   */
  async confirm(caller: Caller, body: ReauthenticateDto, origin: AttemptOrigin): Promise<void> {
    const user = await this.userCache.get(caller.userId);
    if (!user) throw sessionErrors.sessionRevoked();
    const { password, channel, method, code, response } = body;
    if (method !== undefined || response !== undefined) {
      if (method === undefined || password !== undefined || channel !== undefined) throw moreThanOne();
      await this.secondFactors.confirm(caller, user, { method, code, response }, origin);
      return;
    }
    const proof = await this.prove(user, body, origin);
    await this.transactions.run(async () => {
      await proof?.consume();
      const amr = password === undefined && channel !== undefined ? AMR[channel] : ['pwd'];
      await this.sessions.confirm(caller.sessionId, { first: true, second: false, amr });
      await this.audit.record(authActs.reauthenticate, { target: { type: 'session', id: caller.sessionId } });
    });
  }

  /** WebAuthn options for the user's passkeys. */
  passkeyOptions(caller: Caller, requestOrigin: RequestOrigin): Promise<object> {
    return this.secondFactors.options(caller, requestOrigin);
  }

  private async prove(
    user: UserView,
    { password, channel, code }: ReauthenticateDto,
    origin: AttemptOrigin,
  ): Promise<CodeProof | undefined> {
    if (password !== undefined && channel === undefined && code === undefined) {
      await this.passwords.prove(user, password, origin, loginErrors.invalidCredentials);
      return undefined;
    }
    if (password === undefined && channel !== undefined && code !== undefined) {
      return this.codes.prove(user, channel, code, origin);
    }
    const [field, problem] =
      password === undefined && !channel && !code ? ['password', 'required'] : ['', 'password_or_code'];
    throw platformErrors.validationFailed({ fields: [{ field, code: problem }] });
  }
}

const moreThanOne = (): Error => platformErrors.validationFailed({ fields: [{ field: 'method', code: 'one_proof' }] });
