import {
  ForeignEntry,
  ForeignOrganization,
  ForeignPassword,
  ForeignSource,
  ForeignTotp,
  ForeignUser,
  SocialLink,
  unreadableLine,
} from '../foreign-user';
import { readJsonObjects, UnreadableLine } from '../json-values';
import { membersOf } from '../../platform/util';
import { asHash, asId, asList, asMoment, asSubject, asText, asTexts, isTrue, Json, withoutPadding } from './fields';

/** The NDJSON files of the user export and of the password hash export, or the list that the bulk import reads. */
export const auth0: ForeignSource = {
  name: 'auth0',

  async *read(path, onBytes) {
    for await (const value of readJsonObjects(path, onBytes)) {
      yield value instanceof UnreadableLine ? unreadableLine(value.line) : entryOf(membersOf(value));
    }
  },
};

/** The export of the user interface names its columns for people: `Id`, `Email Verified`. */
const plainNames = (user: Json): Json =>
  'Id' in user
    ? Object.fromEntries(
        Object.entries(user).map(([name, value]) => [
          name === 'Id' ? 'user_id' : name.toLowerCase().replaceAll(' ', '_'),
          value,
        ]),
      )
    : user;

function entryOf(stated: Json): ForeignEntry {
  const user = plainNames(stated);
  const sourceId = sourceIdOf(user);
  const name = asText(user['username'] ?? identifier(user, 'username')['value']);
  if (sourceId === undefined) return { sourceId, name, why: 'no_id' };
  const metadata = membersOf(user['app_metadata']);
  // Written by the Authorization Extension.
  const authorization = membersOf(metadata['authorization']);
  const email = asText(user['email'] ?? identifier(user, 'email')['value']);
  return {
    sourceId,
    name,
    email,
    emailVerified: isTrue(user['email_verified'] ?? identifier(user, 'email')['verified']),
    ...phoneOf(user),
    nickname: nicknameOf(user, email),
    avatar: asText(user['picture']),
    locale: asText(user['locale'] ?? membersOf(user['user_metadata'])['locale']),
    isDisabled: isTrue(user['blocked']),
    mustChangePassword: false,
    createdAt: asMoment(user['created_at']),
    password: passwordOf(user),
    roles: [...asTexts(metadata['roles']), ...asTexts(authorization['roles'])],
    groups: asTexts(authorization['groups']),
    organizations: asList(user['organizations']).map(membersOf).map(organizationOf),
    socialLinks: asList(user['identities']).map(membersOf).filter(isSocial).map(socialLinkOf),
    attributes: membersOf(user['user_metadata']),
    totp: totpOf(user),
  };
}

function phoneOf(user: Json): Pick<ForeignUser, 'phone' | 'phoneRegion' | 'phoneVerified'> {
  return {
    phone: asText(user['phone_number'] ?? identifier(user, 'phone')['value']),
    phoneRegion: undefined,
    phoneVerified: isTrue(user['phone_verified'] ?? identifier(user, 'phone')['verified']),
  };
}

/**
 * The user export has `user_id`. The hash export has its parts: `auth0|` and `alt_id`, or else the id of the object.
 */
function sourceIdOf(user: Json): string | undefined {
  const own = asId(user['user_id']);
  if (own !== undefined) return own.includes('|') ? own : `auth0|${own}`;
  const part = asId(user['alt_id']) ?? asId(membersOf(user['_id'])['$oid']) ?? asId(user['_id']);
  return part === undefined ? asText(user['email']) : `auth0|${part}`;
}

/** Recent exports have a list of identifiers, which may replace the user's own members. */
const identifier = (user: Json, type: string): Json =>
  membersOf(
    asList(user['identifiers'])
      .map(membersOf)
      .find((found) => found['type'] === type),
  );

/** Auth0 sets the name of a user without one to the e-mail address. */
function nicknameOf(user: Json, email: string | undefined): string | undefined {
  const name = asText(user['name']);
  return name !== undefined && name !== email ? name : asText(user['nickname']);
}

/** As `/api/v2/users/{id}/organizations` returns it. No export has it. */
const organizationOf = (organization: Json): ForeignOrganization => ({
  sourceId: asText(organization['id']),
  slug: asText(organization['name']),
  name: asText(organization['display_name']),
});

const isSocial = (identity: Json): boolean => isTrue(identity['isSocial']);

/** Google has another name there. */
function socialLinkOf(identity: Json): SocialLink {
  const connection = asText(identity['connection'] ?? identity['provider']) ?? '';
  return {
    provider: connection === 'google-oauth2' ? 'google' : connection,
    subject: asSubject(identity['user_id']),
  };
}

/** Only the bulk import has factors: six digits, 30 seconds and SHA-1. */
function totpOf(user: Json): ForeignTotp | undefined {
  const [totp] = asList(user['mfa_factors']).flatMap((factor) => membersOf(factor)['totp'] ?? []);
  if (totp === undefined) return undefined;
  const secret = asText(membersOf(totp)['secret']);
  return secret === undefined ? { kind: 'unusable' } : { kind: 'secret', secret: withoutPadding(secret) };
}

/** The export has `passwordHash`. The bulk import has `password_hash` and `custom_password_hash`. */
function passwordOf(user: Json): ForeignPassword | undefined {
  const custom = membersOf(membersOf(user['custom_password_hash'])['hash']);
  const hash = asText(user['passwordHash'] ?? user['password_hash'] ?? custom['value']);
  if (hash === undefined) return undefined;
  const { encoding = 'utf8' } = custom;
  const isText = encoding === 'utf8' || encoding === 'utf-8';
  const usable = isText ? asHash(hash) : undefined;
  return usable === undefined ? { kind: 'unusable' } : { kind: 'hash', hash: usable };
}
