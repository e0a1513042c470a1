import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { PasskeyResponseField, SecondFactorCodeField, secondFactorMethods } from '../../../mfa';
import type { SecondFactorMethod } from '../../../mfa';
import {
  BooleanField,
  ChoiceField,
  IdListField,
  IntegerField,
  TextField,
  WholeExample,
} from '../../../platform/http/input';
import { languages } from '../../../platform/i18n';
import {
  AvatarField,
  CodeField,
  EmailField,
  NewPasswordField,
  NicknameField,
  PasswordField,
  PhoneField,
  TermsAcceptedField,
} from '../../../users';
import { AttributesField } from '../../../users/attributes';
import type { ReviewedIdentity } from '../../../users';
import type { MessageChannel } from '../../../messaging';
import { messageChannels } from '../../../messaging';

/** Only present members are changed. null clears an optional one. */
export class ChangeProfileDto {
  @NicknameField() nickname?: string | null;
  @AvatarField() avatar?: string | null;
  @EmailField() email?: string | null;
  @PhoneField() phone?: string | null;
  @ChoiceField({ description: 'Language of the account', options: languages, optional: true, nullable: true })
  locale?: string | null;
  @CodeField('new e-mail') email_code?: string | null;
  @CodeField('new phone') phone_code?: string | null;
  @AttributesField() attributes?: Record<string, unknown>;
}

export class ChangePasswordDto {
  @PasswordField({
    description: 'Optional only while the account has no password; then a recent login is required',
    optional: true,
    example: 'the old words',
  })
  current_password?: string;

  @NewPasswordField()
  new_password: string;
}

export class AcceptTermsDto {
  @TermsAcceptedField() terms_accepted: string;
}

/**
 * One of: the password, a code of purpose `login` sent to a verified contact with its `channel`, or a second factor as
 * `method` with `code` or `response`.
 */
@WholeExample({ password: 'four words of yours' })
export class ReauthenticateDto {
  @PasswordField({ optional: true })
  password?: string;

  @ChoiceField({ description: 'The channel of the code', options: messageChannels, optional: true })
  channel?: MessageChannel;

  @ChoiceField({ description: 'The second factor to verify', options: secondFactorMethods, optional: true })
  method?: SecondFactorMethod;

  @SecondFactorCodeField({ optional: true }) code?: string;
  @PasskeyResponseField({ optional: true }) response?: Record<string, unknown>;
}

export class ResetPasswordDto {
  @ChoiceField({ description: 'The channel of the code', options: messageChannels })
  channel: MessageChannel;

  @TextField({
    description: 'The verified e-mail or phone it was sent to',
    min: 1,
    max: 254,
    typed: true,
    example: 'ann@example.com',
  })
  target: string;

  @TextField({ description: 'The code of purpose `reset_password`', min: 1, max: 16, example: '012345' })
  code: string;

  @NewPasswordField()
  new_password: string;

  @BooleanField({
    description: 'true: unlink the third-party accounts linked since the last reset. Default false',
    optional: true,
  })
  unlink_identities?: boolean;
}

export class ReviewedIdentityDto {
  @ApiProperty({ description: 'Name of the provider', example: 'github' }) provider: string;
  @ApiProperty({ example: 'GitHub' }) label: string;
  @ApiProperty({ description: 'Lets the owner recognize it: a masked e-mail, or a name', example: 'a***@example.com' })
  subject_hint: string;
  @ApiProperty({ format: 'date-time' }) linked_at: string;
  @ApiProperty({ description: 'Whether it was unlinked. Never true for a user with a second factor' })
  unlinked: boolean;
}

@ApiSchema({ description: 'The third-party accounts linked since the last reset' })
export class PasswordResetDto {
  @ApiProperty({ type: [ReviewedIdentityDto] }) identities: ReviewedIdentityDto[];
}

export function passwordResetDto(identities: readonly ReviewedIdentity[]): PasswordResetDto {
  return {
    identities: identities.map(({ subjectHint, linkedAt, ...rest }) => ({
      ...rest,
      subject_hint: subjectHint,
      linked_at: linkedAt.toISOString(),
    })),
  };
}

export class SearchUsersDto {
  @IdListField({
    description: 'Users to look up, returned in this order without unknown ones',
    max: 100,
    optional: true,
  })
  ids?: string[];

  @TextField({
    description: 'Prefix of a username or nickname, without wildcards',
    min: 2,
    max: 50,
    optional: true,
    example: 'an',
  })
  keyword?: string;

  @IntegerField({
    description: 'Maximum number of users found by the keyword. Default 20',
    min: 1,
    max: 50,
    optional: true,
    example: 20,
  })
  limit?: number;
}
