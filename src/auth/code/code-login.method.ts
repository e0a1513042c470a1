import { Injectable } from '@nestjs/common';
import { LoginMethod, LoginProof, LoginSubject } from '../../session';
import { KnownUser, knownUser } from '../../users';
import { CodeChannels, codeErrors, CodeProofs, CodeTarget, CodeTargets, contactOf } from '../../verification';
import { EmailLoginDto, LoginDto, SmsLoginDto } from '../dto/login.dto';

/** Login with a code sent to a proven contact. */
@Injectable()
abstract class CodeLoginMethod<Credentials extends LoginDto & { code: string }> extends LoginMethod<Credentials> {
  abstract override readonly type: 'email' | 'sms';
  readonly refusal = codeErrors.codeInvalid;

  constructor(
    private readonly channels: CodeChannels,
    private readonly targets: CodeTargets,
    private readonly proofs: CodeProofs,
  ) {
    super();
  }

  isConfigured(): Promise<boolean> {
    return this.channels.isOffered(this.type);
  }

  /** Errors: `validation_failed` on the contact. */
  async findSubject(credentials: Credentials): Promise<LoginSubject> {
    const target = await this.targetOf(credentials);
    const user = await this.targets.findOwner(target);
    // Named as a login with a password names it, so that guesses at one name are counted together.
    return user
      ? { user: knownUser(user), key: user.id }
      : { user: undefined, key: `${contactOf[this.type]} ${target.key}` };
  }

  async verify(credentials: Credentials, user: KnownUser | undefined): Promise<LoginProof | undefined> {
    const { channel, key } = await this.targetOf(credentials);
    return this.proofs.check({ purpose: 'login', channel, key, code: credentials.code, userId: user?.id });
  }

  protected abstract contact(credentials: Credentials): string;

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
