import { Transform } from 'class-transformer';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { secondFactorMethods } from '../../../../mfa';
import type { SecondFactorMethod } from '../../../../mfa';
import { TextField, WholeExample } from '../../../../platform/input';
import { ExternalProfile } from '../../providers';

const LONGEST = 8_192;

/** As JSON has booleans, too; in a query or a form everything is text. */
const BooleanAsText = Transform(({ value }: { value: unknown }) =>
  typeof value === 'boolean' ? String(value) : value,
);

const Parameter = (description: string): PropertyDecorator => TextField({ description, max: LONGEST, optional: true });

/** What providers send back (RFC 6749 §4.1.2, RFC 9207, and the vendors' own names); other parameters are ignored. */
@WholeExample({ code: 'as-the-provider-sent-it', state: 'as-the-provider-sent-it' })
export class CallbackDto {
  @Parameter('The authorization code') code?: string;
  @Parameter('The code, as DingTalk names it') authCode?: string;
  @Parameter('The code, as Alipay names it') auth_code?: string;
  @Parameter('As it was sent to the provider') state?: string;
  @Parameter('Set where the provider refused') error?: string;
  @Parameter('The issuer, RFC 9207') iss?: string;
  @Parameter('Name of the user, as Apple sends it at the first consent') user?: string;
  @BooleanAsText
  @Parameter(
    '`true` or `false`, in JSON also a boolean: whether the client expects a binding; it must agree with the state',
  )
  bind_mode?: string;
  @BooleanAsText
  @Parameter('Another spelling of `bind_mode`')
  BindMode?: string;
}

export class UpstreamProfileDto {
  @ApiPropertyOptional({ example: 'ann@example.com' }) email?: string;
  @ApiProperty({ description: 'Whether the provider says it has verified the e-mail' }) email_verified: boolean;
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
  'What became of it: a login, a link, or what is to be done next',
)
export class CallbackAnswerDto {
  @ApiProperty({ enum: ['logged_in', 'bound', 'bind_required', 'mfa_required'] }) status: string;
  @ApiPropertyOptional({
    description: 'Only with `bind_required`: good for `/api/oauth/bind`, in this browser, for 10 minutes',
  })
  temp_token?: string;
  @ApiPropertyOptional({ type: UpstreamProfileDto }) profile?: UpstreamProfileDto;

  @ApiPropertyOptional({
    description: 'Only with `mfa_required`: for `POST /api/auth/login/mfa`',
  })
  mfa_token?: string;

  @ApiPropertyOptional({ enum: secondFactorMethods, isArray: true }) methods?: SecondFactorMethod[];
}

export function upstreamProfileDto(profile: ExternalProfile): UpstreamProfileDto {
  const { email, emailVerified, phone, nickname, avatar } = profile;
  return {
    ...(email !== undefined && { email }),
    email_verified: emailVerified,
    ...(phone !== undefined && { phone }),
    ...(nickname !== undefined && { nickname }),
    ...(avatar !== undefined && { avatar }),
  };
}
