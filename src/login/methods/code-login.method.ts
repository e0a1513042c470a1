import { Injectable } from '@nestjs/common';
import { LoginMethod, LoginProof, LoginSubject } from '../login-method';
import { UserView, userView } from '../../users';
import {
  CodeChannelRegistry,
  codeErrors,
  CodeProofsService,
  CodeTarget,
  CodeTargetsService,
  contactOf,
} from '../../verification';
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
  async findSubject(credentials: Credentials): Promise<LoginSubject> {
    const target = await this.targetOf(credentials);
    const user = await this.targets.findOwner(target);
    // The same key as for a password login, so that attempts at one identifier are counted together.
    return user
      ? { user: userView(user), key: user.id }
      : { user: undefined, key: `${contactOf[this.type]} ${target.key}` };
  }

  async verify(credentials: Credentials, user: UserView | undefined): Promise<LoginProof | undefined> {
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
