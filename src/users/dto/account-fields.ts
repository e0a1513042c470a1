import { FieldOptions, TextField } from '../../platform/http/input';
import { MAX_TERMS_VERSION } from '../terms.settings';
import { checkNewUsername, checkNickname, isAvatarUrl, normalizeEmail, pictureNameOf } from '../rules';

type Optional = Partial<FieldOptions>;

export const UsernameField = (options: Optional = {}): PropertyDecorator =>
  TextField({
    description: 'Unique without regard to case. Not a number of 7 digits or more, which reads as a phone number',
    min: 3,
    max: 50,
    typed: true,
    pattern: '^[A-Za-z0-9_]{3,50}$',
    check: checkNewUsername,
    example: 'ann',
    ...options,
  });

/** Only caps the size here. The password rules validate length and content. */
export const NewPasswordField = (options: Optional = {}): PropertyDecorator =>
  TextField({
    description: '8 to 256 characters of any kind, used as typed; common passwords are rejected',
    max: 1_024,
    format: 'password',
    example: 'four words of yours',
    ...options,
  });

/** The largest request body, so that longer input never arrives. */
const MAX_TYPED_PASSWORD = 65_536;

export const PasswordField = (options: Optional = {}): PropertyDecorator =>
  TextField({
    description: 'As typed; input of any length that is not the password counts as a wrong password',
    max: MAX_TYPED_PASSWORD,
    format: 'password',
    example: 'four words of yours',
    ...options,
  });

const optionalText = { optional: true, nullable: true } as const;

export const NicknameField = (): PropertyDecorator =>
  TextField({
    description: 'Shown instead of the username',
    max: 50,
    check: checkNickname,
    example: 'Ann',
    ...optionalText,
  });

export const AvatarField = (): PropertyDecorator =>
  TextField({
    description:
      'An https URL if setting `security.external_avatars` is on, `/api/avatar/<seed>.svg`, or the present avatar',
    max: 500,
    check: (value) => (value === '' || isAvatarUrl(value) || pictureNameOf(value) ? undefined : 'avatar'),
    example: '/api/avatar/ann.svg',
    ...optionalText,
  });

export const EmailField = (): PropertyDecorator =>
  TextField({
    description: 'One address; the empty text means none',
    max: 254,
    typed: true,
    format: 'email',
    check: (value) => (value === '' || normalizeEmail(value) ? undefined : 'email'),
    example: 'ann@example.com',
    ...optionalText,
  });

export const PhoneField = (): PropertyDecorator =>
  TextField({
    description: 'E.164, or a national number of setting `sms.default_region`; the empty text means none',
    max: 40,
    typed: true,
    example: '+8613800138000',
    ...optionalText,
  });

export const CodeField = (channel: string): PropertyDecorator =>
  TextField({ description: `The code sent to the ${channel}`, max: 16, example: '012345', ...optionalText });

export const TermsAcceptedField = (options: Optional = {}): PropertyDecorator =>
  TextField({
    description:
      'The version of the terms that the user accepts: the current one, `registration.terms_version` of `GET /api/info`',
    max: MAX_TERMS_VERSION,
    example: '2026-01',
    ...options,
  });
