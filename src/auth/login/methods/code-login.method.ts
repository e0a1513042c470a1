import { Injectable } from '@nestjs/common';
import { AttemptLimits, LoginBrowser, LoginMethod, LoginProof, LoginSubject } from '../login-method';
import { UserView, userView } from '../../../users';
import {
  CodeChannelRegistry,
  codeErrors,
  CodeProofsService,
  CodeTarget,
  CodeTargetsService,
  contactOf,
} from '../../../verification';
import { EmailLoginDto, LoginDto, SmsLoginDto } from '../dto/login.dto';

/** Login with a code sent to a verified contact. */
@Injectable()
abstract class CodeLoginMethod<Credentials extends LoginDto & { code: string }> extends LoginMethod<Credentials> {
  abstract override readonly type: 'email' | 'sms';
  readonly createError = codeErrors.codeInvalid;

  constructor(
    private readonly channels: CodeChannelRegistry,
    private readonly targets: CodeTargetsService,
    private readonly proofs: CodeProofsService,
  ) {
    super();
  }

  isConfigured(): Promise<boolean> {
    return this.channels.isOffered(this.type);
  }

  /** Throws `validation_failed` on the contact. */
  async findSubject(credentials: Credentials, browser?: LoginBrowser): Promise<LoginSubject> {
    const target = await this.targetOf(credentials);
    const user = await this.targets.findOwner(target);
    const limits = await this.limitsOf(target, browser);
    // The same key as for a password login, so that a lock applies to every identifier of the account.
    return user
      ? { user: userView(user), key: user.id, limits }
      : { user: undefined, key: `${contactOf[this.type]} ${target.key}`, limits };
  }

  async verify(
    credentials: Credentials,
    user: UserView | undefined,
    _subject: LoginSubject,
    browser?: LoginBrowser,
  ): Promise<LoginProof | undefined> {
    const { channel, key } = await this.targetOf(credentials);
    const { code } = credentials;
    const browsers = browser?.codeSecrets;
    return this.proofs.check({ purpose: 'login', channel, key, code, browsers, userId: user?.id });
  }

  protected abstract contact(credentials: Credentials): string;

  /** The attempts of a code are counted with it. A lock by wrong passwords does not apply where the code was requested. */
  private async limitsOf({ channel, key }: CodeTarget, browser: LoginBrowser | undefined): Promise<AttemptLimits> {
    const request = { purpose: 'login', channel, key, browsers: browser?.codeSecrets } as const;
    return (await this.proofs.isRequestedBy(request)) ? 'address' : 'lock';
  }

  private targetOf(credentials: Credentials): Promise<CodeTarget> {
    return this.targets.read(this.type, this.contact(credentials), contactOf[this.type]);
  }
}

@Injectable()
export class EmailLoginMethod extends CodeLoginMethod<EmailLoginDto> {
  readonly type = 'email';
  override readonly amr = ['otp'];
  readonly credentials = EmailLoginDto;

  protected contact({ email }: EmailLoginDto): string {
    return email;
  }
}

@Injectable()
export class SmsLoginMethod extends CodeLoginMethod<SmsLoginDto> {
  readonly type = 'sms';
  override readonly amr = ['sms'];
  readonly credentials = SmsLoginDto;

  protected contact({ phone }: SmsLoginDto): string {
    return phone;
  }
}
