import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { PasskeyResponseField, SecondFactorCodeField, secondFactorMethods } from '../../mfa';
import type { SecondFactorMethod } from '../../mfa';
import { BooleanField, ChoiceField, TextField, WholeExample } from '../../platform/input';

const TokenField = (): PropertyDecorator =>
  TextField({
    description: 'Left out: the cookie that came with it',
    min: 1,
    max: 64,
    optional: true,
    example: 'as-it-came-with-the-login',
  });

export class SecondStepOptionsDto {
  @TokenField() mfa_token?: string;
}

/** `code` with `totp` and `recovery`, `response` with `passkey`. */
@WholeExample({ method: 'totp', code: '012345', trust_device: true })
export class SecondStepDto {
  @TokenField() mfa_token?: string;

  @ChoiceField({ description: 'Which second factor is proved', options: secondFactorMethods })
  method: SecondFactorMethod;

  @SecondFactorCodeField({ optional: true }) code?: string;
  @PasskeyResponseField({ optional: true }) response?: Record<string, unknown>;

  @BooleanField({
    description: 'Do not ask this browser again for as long as setting `mfa.trusted_device_days` says',
    optional: true,
  })
  trust_device?: boolean;
}

/** The first factor was right; `POST /api/auth/login/mfa` takes the second. */
@ApiSchema({ description: 'A second factor is due: what proves it, and the token for that step' })
export class SecondStepDueDto {
  @ApiProperty({ enum: [true] }) mfa_required: true;

  @ApiProperty({
    description: 'Good for five minutes, five tries and one login, in this browser only',
    example: 'as-it-came-with-the-login',
  })
  mfa_token: string;

  @ApiProperty({ enum: secondFactorMethods, isArray: true }) methods: SecondFactorMethod[];
}

@ApiSchema({ description: 'The kinds of second factor that the account has' })
export class SecondStepChoicesDto {
  @ApiProperty({ enum: secondFactorMethods, isArray: true }) methods: SecondFactorMethod[];
}
