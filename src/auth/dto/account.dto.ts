import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { PasskeyResponseField, SecondFactorCodeField, secondFactorMethods } from '../../mfa';
import type { SecondFactorMethod } from '../../mfa';
import { BooleanField, ChoiceField, IdListField, IntegerField, TextField, WholeExample } from '../../platform/input';
import { languages } from '../../platform/i18n';
import {
  AvatarField,
  CodeField,
  EmailField,
  NewPasswordField,
  NicknameField,
  PasswordField,
  PhoneField,
} from '../../users';
import type { ReviewedIdentity } from '../../users';
import type { MessageChannel } from '../../messaging';
import { messageChannels } from '../../messaging';

/** Only what is there is changed; null clears an optional field. */
export class ChangeProfileDto {
  @NicknameField() nickname?: string | null;
  @AvatarField() avatar?: string | null;
  @EmailField() email?: string | null;
  @PhoneField() phone?: string | null;
  @ChoiceField({ description: 'Language of the account', options: languages, optional: true, nullable: true })
  locale?: string | null;
  @CodeField('new e-mail') email_code?: string | null;
  @CodeField('new phone') phone_code?: string | null;
}

export class ChangePasswordDto {
  @PasswordField({
    description: 'Left out only while the account has no password; then a recent login is needed',
    optional: true,
    example: 'the words until now',
  })
  current_password?: string;

  @NewPasswordField()
  new_password: string;
}

/**
 * The password; a code of purpose `login` that was sent to a verified contact of the account, with its `channel`; or a
 * second factor: `method` with its `code` or `response`.
 */
@WholeExample({ password: 'four words of yours' })
export class ReauthenticateDto {
  @PasswordField({ optional: true })
  password?: string;

  @ChoiceField({ description: 'Over which channel the code came', options: messageChannels, optional: true })
  channel?: MessageChannel;

  @ChoiceField({ description: 'Which second factor is proved', options: secondFactorMethods, optional: true })
  method?: SecondFactorMethod;

  @SecondFactorCodeField({ optional: true }) code?: string;
  @PasskeyResponseField({ optional: true }) response?: Record<string, unknown>;
}

export class ResetPasswordDto {
  @ChoiceField({ description: 'Over which channel the code came', options: messageChannels })
  channel: MessageChannel;

  @TextField({
    description: 'The verified e-mail or phone it was sent to',
    min: 1,
    max: 254,
    example: 'ann@example.com',
  })
  target: string;

  @TextField({ description: 'The code of purpose `reset_password`', min: 1, max: 16, example: '012345' })
  code: string;

  @NewPasswordField()
  new_password: string;

  @BooleanField({
    description: 'true: the third-party accounts that were linked since the last reset are unlinked. Default false',
    optional: true,
  })
  unlink_identities?: boolean;
}

export class ReviewedIdentityDto {
  @ApiProperty({ description: 'Name of the provider', example: 'github' }) provider: string;
  @ApiProperty({ example: 'GitHub' }) label: string;
  @ApiProperty({ description: 'By which its owner knows it: a masked e-mail, or a name', example: 'a***@example.com' })
  subject_hint: string;
  @ApiProperty({ format: 'date-time' }) linked_at: string;
  @ApiProperty({ description: 'Nobody logs in with it any more. Never true for a user with a second factor' })
  unlinked: boolean;
}

@ApiSchema({ description: 'What else leads into the account since the last reset' })
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
    description: 'Users to look up, answered in this order; unknown ones are left out',
    max: 100,
    optional: true,
  })
  ids?: string[];

  @TextField({
    description: 'Beginning of a username or nickname, taken literally',
    min: 2,
    max: 50,
    optional: true,
    example: 'an',
  })
  keyword?: string;

  @IntegerField({
    description: 'Most users found by the keyword. Default 20',
    min: 1,
    max: 50,
    optional: true,
    example: 20,
  })
  limit?: number;
}
