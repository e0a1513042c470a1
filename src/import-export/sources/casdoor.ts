import { pbkdf2Hash, WeakDigest, weakHash } from '../../platform/crypto';
import { ForeignEntry, ForeignPassword, ForeignSource, ForeignTotp } from '../foreign-user';
import { readJsonValues } from '../json-values';
import { membersOf } from '../../platform/util';
import { asHash, asList, asMoment, asSubject, asText, asTexts, isTrue, Json, withoutPadding } from './fields';

/** The password settings of an organization. */
interface Organization {
  readonly passwordType: string | undefined;
  readonly passwordSalt: string;
}

/** Values that the file keeps outside of the user. */
interface Surroundings {
  readonly organizations: ReadonlyMap<string, Organization>;
  /** The roles by `owner/name` of the user. */
  readonly roles: ReadonlyMap<string, readonly string[]>;
}

/** The fixed value in Casdoor's cred/pbkdf2-salt.go. */
const PBKDF2_ITERATIONS = 27_500;
/** The default without a named algorithm. Then only a hash that names its own algorithm is usable. */
const SELF_DESCRIBING = 'bcrypt';
const NO_ORGANIZATION: Organization = { passwordType: undefined, passwordSalt: '' };
/** The placeholder for a password in `GET /api/get-users`. */
const MASKED = '***';

/** The members of a user with the id at a provider, which are named after the kind of the provider. */
const SOCIAL_FIELDS = [
  'alipay',
  'apple',
  'azuread',
  'dingtalk',
  'facebook',
  'gitee',
  'github',
  'gitlab',
  'google',
  'lark',
  'linkedin',
  'qq',
  'wechat',
  'wecom',
  'weibo',
];

const EVERYTHING = ['$.organizations.*', '$.roles.*', '$.users.*', '$.data.*'];

/** A dump in the format of `init_data.json`, or the response of `GET /api/get-users`. */
export const casdoor: ForeignSource = {
  name: 'casdoor',

  async *read(path, onBytes) {
    const surroundings = await readSurroundings(path);
    for await (const { list, value } of readJsonValues(path, { ofObject: EVERYTHING, ofList: ['$.*'] }, onBytes)) {
      if (list === undefined || list === 'users' || list === 'data') yield entryOf(membersOf(value), surroundings);
    }
  },
};

/** Roles may follow the users that they name, so the file is read twice. */
async function readSurroundings(path: string): Promise<Surroundings> {
  const organizations = new Map<string, Organization>();
  const roles = new Map<string, string[]>();
  for await (const { list, value } of readJsonValues(path, { ofObject: EVERYTHING, ofList: ['$.*'] })) {
    const thing = membersOf(value);
    const name = asText(thing['name']);
    if (name === undefined) continue;
    if (list === 'organizations') organizations.set(name, organizationOf(thing));
    if (list === 'roles' && thing['isEnabled'] !== false) {
      for (const user of asTexts(thing['users'])) roles.set(user, [...(roles.get(user) ?? []), name]);
    }
  }
  return { organizations, roles };
}

const organizationOf = (thing: Json): Organization => ({
  passwordType: asText(thing['passwordType']),
  passwordSalt: asText(thing['passwordSalt']) ?? '',
});

function entryOf(user: Json, { organizations, roles }: Surroundings): ForeignEntry {
  const name = asText(user['name']);
  const owner = asText(user['owner']) ?? '';
  const path = `${owner}/${name ?? ''}`;
  // A user may choose the id within the organization, so owner and name, Casdoor's primary key, identify the user.
  if (name === undefined) return { sourceId: undefined, name, why: 'no_id' };
  if (isTrue(user['isDeleted'])) return { sourceId: path, name, why: 'deleted_there' };
  const ownRoles = asList(user['roles']).flatMap((role) => asText(membersOf(role)['name']) ?? []);
  return {
    sourceId: path,
    name,
    email: asText(user['email']),
    emailVerified: isTrue(user['emailVerified']),
    phone: asText(user['phone']),
    phoneRegion: asText(user['countryCode']),
    phoneVerified: false,
    nickname: asText(user['displayName']),
    avatar: asText(user['avatar']),
    locale: asText(user['language']),
    isDisabled: isTrue(user['isForbidden']),
    mustChangePassword: isTrue(user['needUpdatePassword']),
    createdAt: asMoment(user['createdTime']),
    password: passwordOf(user, organizations.get(owner)),
    roles: [...new Set([...ownRoles, ...(roles.get(path) ?? [])])],
    groups: asTexts(user['groups']),
    socialLinks: SOCIAL_FIELDS.flatMap((provider) => {
      const isThere = asText(user[provider]) !== undefined;
      return isThere ? [{ provider, subject: asSubject(user[provider]) }] : [];
    }),
    attributes: membersOf(user['properties']),
    totp: totpOf(user),
  };
}

/** Casdoor's apps use six digits, 30 seconds and SHA-1. */
function totpOf(user: Json): ForeignTotp | undefined {
  const secret = asText(user['totpSecret']);
  if (secret === undefined) return undefined;
  return secret === MASKED ? { kind: 'unusable' } : { kind: 'secret', secret: withoutPadding(secret) };
}

function passwordOf(user: Json, organization: Organization = NO_ORGANIZATION): ForeignPassword | undefined {
  const password = asPassword(user['password']);
  if (password === undefined) return undefined;
  if (password === MASKED) return { kind: 'unusable' };
  const type = asText(user['passwordType']) ?? organization.passwordType ?? SELF_DESCRIBING;
  if (type === 'plain') return { kind: 'plain', text: password };
  const salts = { own: asText(user['passwordSalt']) ?? '', shared: organization.passwordSalt };
  const hash = hashes[type]?.(password, salts);
  return hash === undefined ? { kind: 'unusable' } : { kind: 'hash', hash };
}

/** Returns the value unchanged, including spaces. */
const asPassword = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

interface Salts {
  readonly own: string;
  /** The salt of the organization. */
  readonly shared: string;
}

type ReadHash = (password: string, salts: Salts) => string | undefined;

const salted =
  (digest: WeakDigest): ReadHash =>
  (password, { own, shared }) =>
    // Casdoor accepts a password that matches with either salt.
    weakHash(digest, [...new Set([shared, own])], password);

const selfDescribing: ReadHash = asHash;

/** The formats of Casdoor's folder `cred`, by password type. */
const hashes: Readonly<Record<string, ReadHash>> = {
  salt: salted('sha256'),
  'sha512-salt': salted('sha512'),
  'md5-salt': salted('md5'),
  'pbkdf2-salt': (password, { own, shared }) =>
    pbkdf2Hash('sha256', {
      iterations: PBKDF2_ITERATIONS,
      salt: Buffer.from(own || shared, 'base64'),
      hash: Buffer.from(password, 'base64'),
    }),
  'pbkdf2-django': djangoHash,
  // A separate salt acts as a pepper in front of the password, which cannot be verified here.
  argon2id: (password, { own, shared }) =>
    own + shared === '' ? selfDescribing(password, { own, shared }) : undefined,
  [SELF_DESCRIBING]: selfDescribing,
};

/** `pbkdf2_sha256$iterations$salt$hash`, with the salt as plain text and the hash in base64. */
function djangoHash(password: string): string | undefined {
  const [algorithm, iterations, salt = '', hash = ''] = password.split('$');
  if (algorithm !== 'pbkdf2_sha256') return undefined;
  const parts = { iterations: Number(iterations), salt: Buffer.from(salt), hash: Buffer.from(hash, 'base64') };
  return pbkdf2Hash('sha256', parts);
}
