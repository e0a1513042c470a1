import { languages } from '../../platform/i18n';
import { BooleanField, ChoiceField, IdField, IdListField, TextField } from '../../platform/input';
import { PageOrCursorQueryDto } from '../../platform/lists';
import type { UserStatus } from '../../users';
import { EmailField, NewPasswordField, NicknameField, PhoneField, UsernameField } from '../../users';

const STATUSES: readonly UserStatus[] = ['active', 'disabled'];
/** An address is the longest thing to search for. */
const MAX_KEYWORD = 254;

/** In the description of a route that changes somebody else's account. */
export const COVER =
  'The caller must hold all that the user holds, and all that OAuth clients of the user may ask for.';
/** In the description of a route that takes access away and gives none. */
export const CONTAINMENT = 'Of a holder of everything (`*:*` at 7 in scope `*`), only for another one.';

const LocaleField = (): PropertyDecorator =>
  ChoiceField({ description: 'Language of the account', options: languages, optional: true, nullable: true });

const VerifiedField = (contact: string): PropertyDecorator =>
  BooleanField({
    description: `Whether the ${contact} counts as proved; a changed one does not unless this says so`,
    optional: true,
  });

export class ListUsersDto extends PageOrCursorQueryDto {
  @TextField({
    description:
      'Beginning of a username, nickname or e-mail, in any case, taken literally; or a whole phone. Empty: everybody',
    max: MAX_KEYWORD,
    optional: true,
  })
  keyword?: string;

  @ChoiceField({ description: 'Only users of this status', options: STATUSES, optional: true })
  status?: UserStatus;

  @IdField({ description: 'Only users in this role', optional: true })
  role_id?: string;
}

/** What of an account an administrator may set at any time. */
abstract class AccountDto {
  @EmailField() email?: string | null;
  @VerifiedField('e-mail') email_verified?: boolean;
  @PhoneField() phone?: string | null;
  @VerifiedField('phone') phone_verified?: boolean;
  @NicknameField() nickname?: string | null;
  @LocaleField() locale?: string | null;
}

export class CreateUserDto extends AccountDto {
  @UsernameField() username: string;

  @NewPasswordField({ optional: true, nullable: true })
  password?: string | null;

  @BooleanField({
    description: 'Default: true where a password is given, for the administrator knows it',
    optional: true,
  })
  must_change_password?: boolean;

  @IdListField({
    description: 'Roles to put the user into; the caller must hold all that they give. Default: none',
    max: 100,
    optional: true,
  })
  role_ids?: string[];
}

/** Only what is there is changed; null clears an optional field. */
export class ChangeUserDto extends AccountDto {
  @UsernameField({ optional: true }) username?: string;

  @BooleanField({ description: 'Whether the password has to be changed first', optional: true })
  must_change_password?: boolean;

  @ChoiceField({ description: '`disabled` ends the sessions', options: STATUSES, optional: true })
  status?: UserStatus;
}

export class SetPasswordDto {
  @NewPasswordField()
  new_password: string;

  @BooleanField({ description: 'Default true, for the administrator knows the password', optional: true })
  must_change_password?: boolean;
}
