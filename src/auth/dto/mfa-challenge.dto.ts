import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { MfaChallengeAnswer } from '../login';
import { PasskeyResponseField, SecondFactorCodeField, secondFactorMethods } from '../../mfa';
import type { MfaSessionCredentials, SecondFactorMethod } from '../../mfa';
import { BooleanField, ChoiceField, TextField, WholeExample } from '../../platform/http/input';

const TokenField = (): PropertyDecorator =>
  TextField({
    description: 'Default: the cookie of the first step',
    min: 1,
    max: 64,
    optional: true,
    example: 'as-it-came-with-the-login',
  });

export class MfaChallengeOptionsDto {
  @TokenField() mfa_token?: string;
}

/** `code` with `totp` and `recovery`, `response` with `passkey`. */
@WholeExample({ method: 'totp', code: '012345', trust_device: true })
export class MfaChallengeDto {
  @TokenField() mfa_token?: string;

  @ChoiceField({ description: 'The second factor to verify', options: secondFactorMethods })
  method: SecondFactorMethod;

  @SecondFactorCodeField({ optional: true }) code?: string;
  @PasskeyResponseField({ optional: true }) response?: Record<string, unknown>;

  @BooleanField({
    description: 'Require no second factor in this browser for `mfa.trusted_device_days` days',
    optional: true,
  })
  trust_device?: boolean;
}

@ApiSchema({ description: 'The second factors of the account' })
export class MfaMethodsDto {
  @ApiProperty({ enum: secondFactorMethods, isArray: true }) methods: SecondFactorMethod[];
}

export function mfaChallengeAnswer(
  { method, code, response, trust_device: trustDevice = false }: MfaChallengeDto,
  session: MfaSessionCredentials,
): MfaChallengeAnswer {
  return { method, code, response, trustDevice, session };
}
