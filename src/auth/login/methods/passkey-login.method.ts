import { Injectable } from '@nestjs/common';
import { mfaErrors, PasskeysService } from '../../../mfa';
import { currentRequest, RequestOrigin } from '../../../platform/context';
import { sha256 } from '../../../platform/crypto';
import { LoginBrowser, LoginMethod, LoginProof, LoginSubject } from '../login-method';
import { UserView, UserCache } from '../../../users';
import { PasskeyLoginDto } from '../dto/login.dto';

/** A discoverable passkey with user verification, which counts as two factors. */
@Injectable()
export class PasskeyLoginMethod extends LoginMethod<PasskeyLoginDto> {
  readonly type = 'passkey';
  readonly credentials = PasskeyLoginDto;
  readonly createError = mfaErrors.invalidCredentials;

  constructor(
    private readonly passkeys: PasskeysService,
    private readonly users: UserCache,
  ) {
    super();
  }

  /** Configured once any user has registered a passkey. */
  isConfigured(): Promise<boolean> {
    return this.passkeys.exist();
  }

  async findSubject({ response }: PasskeyLoginDto): Promise<LoginSubject> {
    const userId = await this.passkeys.ownerOf(response);
    const user = userId === undefined ? undefined : await this.users.get(userId);
    // A signature cannot be guessed, so a lock by wrong passwords does not apply.
    return { user, key: user?.id ?? `passkey ${sha256(JSON.stringify(response))}`, limits: 'address' };
  }

  async verify(
    { response }: PasskeyLoginDto,
    user: UserView | undefined,
    _subject: LoginSubject,
    { secrets: boundTo }: LoginBrowser = { secrets: [] },
  ): Promise<LoginProof | undefined> {
    const context = { ceremony: 'login', boundTo, origin: currentOrigin() } as const;
    const proof = user && (await this.passkeys.verify(context, user.id, response));
    if (!proof) return undefined;
    return {
      amr: proof.amr,
      isMultiFactor: true,
      consume: async () => {
        if (!(await proof.consume())) throw this.createError();
      },
    };
  }
}

function currentOrigin(): RequestOrigin {
  const request = currentRequest();
  if (!request) throw new Error('A passkey login needs a request for its origin');
  return request.origin;
}
