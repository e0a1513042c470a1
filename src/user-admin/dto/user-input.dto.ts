import { languages } from '../../platform/i18n';
import {
  BooleanField,
  ChoiceField,
  IdField,
  IdListField,
  QueryBooleanField,
  TextField,
} from '../../platform/http/input';
import { isId } from '../../platform/util';
import { PageOrCursorQueryDto } from '../../platform/lists';
import type { UserStatus } from '../../users';
import { AvatarField, EmailField, NewPasswordField, NicknameField, PhoneField, UsernameField } from '../../users';
import { AttributesField } from '../../users/attributes';
import type { UserSort } from '../user-order';
import { USER_SORTS } from '../user-order';

const STATUSES: readonly UserStatus[] = ['active', 'disabled'];
/** An e-mail address is the longest keyword. */
const MAX_KEYWORD = 254;
/** Users that one request may select. */
export const MAX_BATCH = 100;

/** Part of the description of routes that change another user's account. */
export const COVER =
  "The caller must hold the permissions of the user and of the user's OAuth clients, and `role:update` everywhere for a user whom applications trust by name.";
/** Part of the description of routes that only remove access. */
export const CONTAINMENT =
  'For a user with every permission (`*:*` at level 7 in scope `*`), the caller needs the same.';

const LocaleField = (): PropertyDecorator =>
  ChoiceField({ description: 'Language of the account', options: languages, optional: true, nullable: true });

const VerifiedField = (contact: string): PropertyDecorator =>
  BooleanField({
    description: `Whether the ${contact} is verified. A changed one is unverified unless this is true`,
    optional: true,
  });

const KeywordField = (): PropertyDecorator =>
  TextField({
    description:
      'Part of a username, nickname or e-mail, ignoring case, without wildcards; or a whole phone, or the beginning of a name from before an import. A single ASCII character finds beginnings only. Empty: all users',
    max: MAX_KEYWORD,
    optional: true,
  });

const StatusFilterField = (): PropertyDecorator =>
  ChoiceField({ description: 'Only users with this status', options: STATUSES, optional: true });

const LockedFilterField = (): PropertyDecorator =>
  QueryBooleanField({
    description: 'true: only users who are locked after too many failed logins; false: only users who are not',
    optional: true,
  });

const RoleFilterField = (): PropertyDecorator =>
  IdField({ description: 'Only users who have this role themselves, not through a group', optional: true });

const FactorFilterField = (): PropertyDecorator =>
  QueryBooleanField({
    description: 'true: only users who have an authenticator app or a passkey; false: only users who have neither',
    optional: true,
  });

const AttributeFilterField = (): PropertyDecorator =>
  TextField({
    description:
      'Only users with this value of a searchable attribute, as `name:value`, ignoring case; of a list, those with this item',
    max: 300,
    check: (filter) => (/^[a-z][a-z0-9_]*:./su.test(filter) ? undefined : 'attribute_filter'),
    optional: true,
    example: 'employee_no:AB1234',
  });

export class ListUsersDto extends PageOrCursorQueryDto {
  @KeywordField() keyword?: string;
  @StatusFilterField() status?: UserStatus;
  @LockedFilterField() locked?: boolean;
  @RoleFilterField() role_id?: string;
  @FactorFilterField() has_second_factor?: boolean;
  @AttributeFilterField() attribute?: string;

  @ChoiceField({
    description:
      'Order; a `-` in front: descending. Default: `-created_at`, the only order with a keyword. No other column has an index',
    options: USER_SORTS,
    optional: true,
  })
  sort?: UserSort;

  @QueryBooleanField({
    description: 'true: each user also has `roles`, `role_count` and `has_second_factor`',
    optional: true,
  })
  details?: boolean;
}

export const idsOf = (ids: string): string[] => ids.split(',');

const areIds = (ids: string): boolean => idsOf(ids).length <= MAX_BATCH && idsOf(ids).every(isId);

export class ExportUsersDto {
  @KeywordField() keyword?: string;
  @StatusFilterField() status?: UserStatus;
  @LockedFilterField() locked?: boolean;
  @RoleFilterField() role_id?: string;
  @FactorFilterField() has_second_factor?: boolean;
  @AttributeFilterField() attribute?: string;

  @TextField({
    description: 'Only these users: up to 100 ids, comma-separated, without a filter',
    max: MAX_BATCH * 37,
    check: (ids) => (areIds(ids) ? undefined : 'id_list'),
    optional: true,
  })
  ids?: string;
}

export class SetStatusDto {
  @IdListField({ description: 'The users; all or none change', min: 1, max: MAX_BATCH })
  user_ids: string[];

  @ChoiceField({ description: '`disabled` ends their sessions', options: STATUSES })
  status: UserStatus;
}

/** The members of an account that an administrator may set. */
abstract class AccountDto {
  @EmailField() email?: string | null;
  @VerifiedField('e-mail') email_verified?: boolean;
  @PhoneField() phone?: string | null;
  @VerifiedField('phone') phone_verified?: boolean;
  @NicknameField() nickname?: string | null;
  @LocaleField() locale?: string | null;
  @AttributesField() attributes?: Record<string, unknown>;
}

export class CreateUserDto extends AccountDto {
  @UsernameField() username: string;

  @NewPasswordField({ optional: true, nullable: true })
  password?: string | null;

  @BooleanField({
    description: 'Default: true when a password is given, because the administrator knows it',
    optional: true,
  })
  must_change_password?: boolean;

  @IdListField({
    description: 'Roles of the user. The caller must hold their permissions. Default: none',
    max: 100,
    optional: true,
  })
  role_ids?: string[];
}

/** Only present members are changed. null clears an optional one. */
export class ChangeUserDto extends AccountDto {
  @UsernameField({ optional: true }) username?: string;
  @AvatarField() avatar?: string | null;

  @TextField({
    description: 'null removes the name from before an import, which no longer logs in. Only an import sets one',
    max: 0,
    optional: true,
    nullable: true,
    example: '',
  })
  former_username?: string | null;

  @BooleanField({ description: 'Whether the user must change the password first', optional: true })
  must_change_password?: boolean;

  @ChoiceField({ description: '`disabled` ends the sessions', options: STATUSES, optional: true })
  status?: UserStatus;
}

export class SetPasswordDto {
  @NewPasswordField()
  new_password: string;

  @BooleanField({ description: 'Default true, because the administrator knows the password', optional: true })
  must_change_password?: boolean;
}
