import { PasskeyResponseField } from '../../../mfa';
import { BooleanField, ChoiceField, TextField } from '../../../platform/http/input';
import { PasswordField } from '../../../users';

/** The members of every login body in addition to the method's credentials. */
export abstract class LoginDto {
  @BooleanField({ description: 'false: the cookies end with the browser. Default true', optional: true })
  remember?: boolean;
}

export class PasswordLoginDto extends LoginDto {
  @ChoiceField({ description: 'Kind of login', options: ['password'] })
  type: 'password';

  @TextField({
    description: 'A username in any case, a verified e-mail, or a verified phone: E.164, or a national number',
    min: 1,
    max: 254,
    typed: true,
    example: 'ann',
  })
  username: string;

  @PasswordField()
  password: string;
}

const ReceivedCodeField = (): PropertyDecorator =>
  TextField({ description: 'The code of purpose `login` that was received', min: 1, max: 16, example: '012345' });

export class EmailLoginDto extends LoginDto {
  @ChoiceField({ description: 'Kind of login', options: ['email'] })
  type: 'email';

  @TextField({
    description: 'A verified e-mail',
    min: 1,
    max: 254,
    typed: true,
    format: 'email',
    example: 'ann@example.com',
  })
  email: string;

  @ReceivedCodeField()
  code: string;
}

export class SmsLoginDto extends LoginDto {
  @ChoiceField({ description: 'Kind of login', options: ['sms'] })
  type: 'sms';

  @TextField({
    description: 'A verified phone: E.164, or a national number',
    min: 1,
    max: 40,
    typed: true,
    example: '+8613800138000',
  })
  phone: string;

  @ReceivedCodeField()
  code: string;
}

export class PasskeyLoginDto extends LoginDto {
  @ChoiceField({ description: 'Kind of login', options: ['passkey'] })
  type: 'passkey';

  @PasskeyResponseField()
  response: Record<string, unknown>;
}
