import { Injectable } from '@nestjs/common';
import { Audit } from '../audit';
import { Caller, RequestOrigin } from '../platform/context';
import { Transactions } from '../platform/database';
import { platformErrors } from '../platform/errors';
import { sessionErrors, Sessions } from '../session';
import { KnownUser, UserState } from '../users';
import { codeErrors, CodeProof, CodeProofs, CodeTargets, contactOf, MessageChannel } from '../verification';
import { authErrors } from './auth.errors';
import { ReauthenticateDto } from './dto/account.dto';
import { Guesser, Guesses } from './guesses';
import { PasswordProof } from './password/password-proof';
import { SecondFactorReauthentication } from './second-factor-reauthentication';

/** RFC 8176 §2. */
const AMR: Record<MessageChannel, string[]> = { email: ['otp'], sms: ['sms'] };
const VERIFIED = { email: 'emailVerified', sms: 'phoneVerified' } as const satisfies Record<MessageChannel, string>;

/** Somebody who is logged in proves again who they are: the login then counts as recent. */
@Injectable()
export class Reauthentication {
  constructor(
    private readonly userState: UserState,
    private readonly password: PasswordProof,
    private readonly targets: CodeTargets,
    private readonly proofs: CodeProofs,
    private readonly guesses: Guesses,
    private readonly secondFactors: SecondFactorReauthentication,
    private readonly sessions: Sessions,
    private readonly transactions: Transactions,
    private readonly audit: Audit,
  ) {}

  /**
   * Errors: `validation_failed`, `invalid_credentials` for a wrong password, `code_invalid` for a wrong code (also where
   * the account has no verified contact of the channel), `account_locked`, `rate_limited`, `verification_disabled`.
   */
  async confirm(caller: Caller, body: ReauthenticateDto, guesser: Guesser): Promise<void> {
    const user = await this.userState.find(caller.userId);
    if (!user) throw sessionErrors.sessionRevoked();
    const { password, channel, method, code, response } = body;
    if (method !== undefined || response !== undefined) {
      if (method === undefined || password !== undefined || channel !== undefined) throw moreThanOne();
      await this.secondFactors.confirm(caller, user, { method, code, response }, guesser);
      return;
    }
    const proof = await this.prove(user, body, guesser);
    await this.transactions.run(async () => {
      await proof?.spend();
      const amr = password === undefined && channel !== undefined ? AMR[channel] : ['pwd'];
      await this.sessions.confirm(caller.sessionId, { first: true, second: false, amr });
      await this.audit.record({ action: 'session.reauthenticate', target: { type: 'session', id: caller.sessionId } });
    });
  }

  /** For the user's passkeys. */
  passkeyOptions(caller: Caller, origin: RequestOrigin): Promise<object> {
    return this.secondFactors.options(caller, origin);
  }

  private async prove(
    user: KnownUser,
    { password, channel, code }: ReauthenticateDto,
    guesser: Guesser,
  ): Promise<CodeProof | undefined> {
    if (password !== undefined && channel === undefined && code === undefined) {
      await this.password.prove(user, password, guesser, authErrors.invalidCredentials);
      return undefined;
    }
    if (password === undefined && channel !== undefined && code !== undefined) {
      return this.proveByCode(user, channel, code, guesser);
    }
    const [field, problem] =
      password === undefined && !channel && !code ? ['password', 'required'] : ['', 'password_or_code'];
    throw platformErrors.validationFailed({ fields: [{ field, code: problem }] });
  }

  private async proveByCode(
    user: KnownUser,
    channel: MessageChannel,
    code: string,
    guesser: Guesser,
  ): Promise<CodeProof> {
    const refusal = codeErrors.codeInvalid;
    const contact = user[contactOf[channel]];
    return this.guesses.judge({ user, name: user.username, refusal, action: 'code.prove' }, guesser, async () => {
      if (contact === null || !user[VERIFIED[channel]]) throw refusal();
      const { key } = await this.targets.read(channel, contact);
      return this.proofs.check({ purpose: 'login', channel, key, code, userId: user.id });
    });
  }
}

const moreThanOne = (): Error => platformErrors.validationFailed({ fields: [{ field: 'method', code: 'one_proof' }] });
