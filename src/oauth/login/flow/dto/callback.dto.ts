import { Transform } from 'class-transformer';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { secondFactorMethods } from '../../../../mfa';
import type { SecondFactorMethod } from '../../../../mfa';
import { TextField, WholeExample } from '../../../../platform/http/input';
import { ExternalProfile } from '../../providers';

const MAX_LENGTH = 8_192;

/** Accepts booleans in JSON. In a query or a form every value is text. */
const BooleanAsText = Transform(({ value }: { value: unknown }) =>
  typeof value === 'boolean' ? String(value) : value,
);

const Parameter = (description: string): PropertyDecorator =>
  TextField({ description, max: MAX_LENGTH, optional: true });

/** The parameters of callbacks (RFC 6749 §4.1.2, RFC 9207, and vendors' own names). Other parameters are ignored. */
@WholeExample({ code: 'as-the-provider-sent-it', state: 'as-the-provider-sent-it' })
export class CallbackDto {
  @Parameter('The authorization code') code?: string;
  @Parameter('The authorization code of DingTalk') authCode?: string;
  @Parameter('The authorization code of Alipay') auth_code?: string;
  @Parameter('The value that was sent to the provider') state?: string;
  @Parameter('Set if the provider rejected the login') error?: string;
  @Parameter('The issuer (RFC 9207)') iss?: string;
  @Parameter('Name of the user, which Apple sends at the first consent') user?: string;
  @BooleanAsText
  @Parameter('`true` or `false`, or a JSON boolean: whether the client expects a linking. Must match the state')
  bind_mode?: string;
  @BooleanAsText
  @Parameter('Another spelling of `bind_mode`')
  BindMode?: string;
}

export class ExternalProfileDto {
  @ApiPropertyOptional({ example: 'ann@example.com' }) email?: string;
  @ApiProperty({ description: 'Whether the provider has verified the e-mail address' }) email_verified: boolean;
  @ApiPropertyOptional({ description: 'E.164', example: '+8613800138000' }) phone?: string;
  @ApiPropertyOptional({ example: 'Ann' }) nickname?: string;
  @ApiPropertyOptional({ example: 'https://avatars.example.com/ann.png' }) avatar?: string;
}

@WholeExample(
  {
    status: 'bind_required',
    temp_token: 'for-the-next-step',
    profile: { email: 'ann@example.com', email_verified: true, nickname: 'Ann' },
  },
  'The outcome: a login, a linked account, or the next step',
)
export class CallbackAnswerDto {
  @ApiProperty({ enum: ['logged_in', 'bound', 'bind_required', 'mfa_required'] }) status: string;
  @ApiPropertyOptional({
    description: 'Only with `bind_required`: valid for `/api/oauth/bind` in this browser for 10 minutes',
  })
  temp_token?: string;
  @ApiPropertyOptional({ type: ExternalProfileDto }) profile?: ExternalProfileDto;

  @ApiPropertyOptional({
    description: 'Only with `mfa_required`: for `POST /api/auth/login/mfa`',
  })
  mfa_token?: string;

  @ApiPropertyOptional({ enum: secondFactorMethods, isArray: true }) methods?: SecondFactorMethod[];
}

export function externalProfileDto(profile: ExternalProfile): ExternalProfileDto {
  const { email, emailVerified, phone, nickname, avatar } = profile;
  return {
    ...(email !== undefined && { email }),
    email_verified: emailVerified,
    ...(phone !== undefined && { phone }),
    ...(nickname !== undefined && { nickname }),
    ...(avatar !== undefined && { avatar }),
  };
}
