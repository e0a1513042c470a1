import { FileShape } from './file-shape';
import { Json } from './fields';

/** How to recognize the files of a system. */
export interface Format {
  /** As people write it. */
  readonly system: string;
  /** The value of `--from`, if its files can be imported. */
  readonly source?: string;
  readonly isUser: (user: Json) => boolean;
  readonly isFile?: (members: Json) => boolean;
}

const hasAll =
  (...names: readonly string[]) =>
  (user: Json): boolean =>
    names.every((name) => name in user);

const hasAny =
  (...names: readonly string[]) =>
  (user: Json): boolean =>
    names.some((name) => name in user);

const isFlat = (user: Json): boolean => !hasAny('user_id', 'identities', 'app_metadata', 'custom_password_hash')(user);

/** Names that other systems do not have. The first match counts. */
export const formats: readonly Format[] = [
  { system: 'Firebase', isUser: hasAny('localId') },
  { system: 'Amazon Cognito', isUser: hasAll('Username', 'Attributes') },
  { system: 'Ory Kratos', isUser: hasAll('schema_id', 'traits') },
  { system: 'SuperTokens', isUser: hasAny('loginMethods', 'recipeUserId') },
  { system: 'Clerk', isUser: hasAny('primary_email_address_id', 'password_digest', 'password_hasher') },
  { system: 'Logto', isUser: hasAny('primaryEmail', 'passwordEncrypted') },
  { system: 'Supabase', isUser: hasAny('encrypted_password', 'raw_user_meta_data', 'raw_app_meta_data') },
  { system: 'FusionAuth', isUser: hasAny('registrations', 'encryptionScheme', 'passwordChangeRequired') },
  { system: 'Okta', isUser: hasAll('profile', 'credentials', 'status') },
  { system: 'ZITADEL', isUser: hasAll('userId', 'human') },
  {
    system: 'Keycloak',
    source: 'keycloak',
    isUser: (user) =>
      'username' in user &&
      hasAny(
        'credentials',
        'realmRoles',
        'requiredActions',
        'createdTimestamp',
        'federatedIdentities',
        'notBefore',
      )(user),
    isFile: (members) => 'realm' in members,
  },
  {
    system: 'Casdoor',
    source: 'casdoor',
    isUser: hasAll('owner', 'name'),
    isFile: hasAll('organizations', 'applications'),
  },
  {
    system: 'Auth0',
    source: 'auth0',
    isUser: (user) =>
      hasAny('user_id', 'app_metadata', 'custom_password_hash')(user) ||
      hasAll('_id', 'passwordHash')(user) ||
      hasAll('Id', 'Email')(user) ||
      (hasAll('email', 'email_verified')(user) && !('username' in user)),
  },
  {
    system: 'Castellan',
    source: 'castellan',
    isUser: (user) => hasAll('id', 'username', 'email_verified')(user) && isFlat(user),
  },
];

export const isFileOf = ({ isUser, isFile }: Format, { members, users }: FileShape): boolean =>
  isFile?.(members) === true || users.some((user) => isUser(user));
