import { isArgon2Hash, pbkdf2Hash } from '../../platform/crypto';
import { totpSecretOf } from '../../mfa';
import { fullName } from '../../users';
import {
  ForeignEntry,
  ForeignOrganization,
  ForeignPassword,
  ForeignSource,
  ForeignTotp,
  SocialLink,
} from '../foreign-user';
import { UnreadableFile } from '../file-text';
import { readJsonValues } from '../json-values';
import { membersOf } from '../../platform/util';
import {
  asHash,
  asId,
  asList,
  asMoment,
  asParsed,
  asSubject,
  asText,
  asTexts,
  isTrue,
  Json,
  withoutPadding,
} from './fields';

const PBKDF2_DIGESTS: Readonly<Record<string, string>> = {
  pbkdf2: 'sha1',
  'pbkdf2-sha256': 'sha256',
  'pbkdf2-sha512': 'sha512',
};
const ARGON2_VERSIONS: Readonly<Record<string, number>> = { '1.0': 16, '1.3': 19 };

/** The output of `kc.sh export`, which is a realm with its users or a file of users, or the list of the admin API. */
export const keycloak: ForeignSource = {
  name: 'keycloak',

  async *read(path, onBytes) {
    const organizations = await readOrganizations(path);
    for await (const { value } of readJsonValues(path, { ofObject: ['$.users.*'], ofList: ['$.*'] }, onBytes)) {
      const user = membersOf(value);
      if (user['realm'] !== undefined && user['username'] === undefined) {
        throw new UnreadableFile(`${path} contains several realms. Export one realm (--realm), or only the users`);
      }
      yield entryOf(user, organizations);
    }
  },
};

/** By the username and the id of each member. */
type Organizations = ReadonlyMap<string, readonly ForeignOrganization[]>;

/** The realm names the members of an organization, and its users may come first, so the file is read twice. */
async function readOrganizations(path: string): Promise<Organizations> {
  const organizations = new Map<string, ForeignOrganization[]>();
  for await (const { value } of readJsonValues(path, { ofObject: ['$.organizations.*'], ofList: [] })) {
    const stated = membersOf(value);
    if (stated['enabled'] === false) continue;
    const organization = organizationOf(stated);
    for (const member of asList(stated['members']).map(membersOf)) {
      const key = asText(member['username']) ?? asText(member['id']);
      if (key !== undefined) organizations.set(key, [...(organizations.get(key) ?? []), organization]);
    }
  }
  return organizations;
}

const membershipsOf = (organizations: Organizations, keys: readonly (string | undefined)[]): ForeignOrganization[] =>
  keys.flatMap((key) => (key === undefined ? [] : (organizations.get(key) ?? [])));

function organizationOf(stated: Json): ForeignOrganization {
  const slug = asText(stated['alias']) ?? asText(stated['name']);
  return {
    sourceId: asText(stated['id']) ?? slug,
    slug,
    name: asText(stated['name']),
    domains: asList(stated['domains']).flatMap((domain) => asText(membersOf(domain)['name']) ?? []),
  };
}

function entryOf(user: Json, organizations: Organizations): ForeignEntry {
  const name = asText(user['username']);
  const sourceId = asId(user['id']) ?? name;
  if (sourceId === undefined) return { sourceId, name, why: 'no_id' };
  if (user['serviceAccountClientId'] !== undefined && user['serviceAccountClientId'] !== null) {
    return { sourceId, name, why: 'service_account' };
  }
  const attributes = membersOf(user['attributes']);
  const actions = asTexts(user['requiredActions']);
  const credential = passwordCredential(user);
  return {
    sourceId,
    name,
    email: asText(user['email']),
    emailVerified: isTrue(user['emailVerified']),
    phone: first(attributes['phoneNumber']),
    phoneRegion: undefined,
    phoneVerified: isTrue(first(attributes['phoneNumberVerified'])),
    nickname: fullName(asText(user['firstName']), asText(user['lastName'])),
    avatar: first(attributes['picture']),
    locale: first(attributes['locale']),
    isDisabled: user['enabled'] === false,
    mustChangePassword: actions.includes('UPDATE_PASSWORD') || isTrue(credential?.['temporary']),
    createdAt: asMoment(user['createdTimestamp']),
    password: credential && passwordOf(credential),
    roles: asTexts(user['realmRoles']),
    groups: asTexts(user['groups']),
    organizations: membershipsOf(organizations, [name, sourceId]),
    socialLinks: asList(user['federatedIdentities']).map(membersOf).map(socialLinkOf),
    attributes,
    totp: totpOf(user),
  };
}

/** An attribute is a list in exports and may be a text elsewhere. */
const first = (value: unknown): string | undefined => asText(asList(value)[0] ?? value);

const passwordCredential = (user: Json): Json | undefined =>
  asList(user['credentials'])
    .map(membersOf)
    .find(({ type }) => type === 'password');

/** Since version 8 the JSON texts `secretData` and `credentialData`. Before, members of the credential itself. */
function passwordOf(credential: Json): ForeignPassword {
  const secret = asParsed(credential['secretData']);
  const data = asParsed(credential['credentialData']);
  const stored = {
    algorithm: asText(data['algorithm'] ?? credential['algorithm']) ?? '',
    iterations: Number(data['hashIterations'] ?? credential['hashIterations']),
    salt: Buffer.from(asText(secret['salt'] ?? credential['salt']) ?? '', 'base64'),
    value: asText(secret['value'] ?? credential['hashedSaltedValue']) ?? '',
    parameters: membersOf(data['additionalParameters']),
  };
  if (stored.value === '') return plainPassword(credential);
  const hash = hashOf(stored);
  return hash === undefined ? { kind: 'unusable' } : { kind: 'hash', hash };
}

/** Files that people write have the password itself, which Keycloak hashes at its import. */
const plainPassword = ({ value }: Json): ForeignPassword =>
  typeof value === 'string' && value !== '' ? { kind: 'plain', text: value } : { kind: 'unusable' };

const socialLinkOf = (link: Json): SocialLink => ({
  provider: asText(link['identityProvider']) ?? '',
  subject: asSubject(link['userId']),
});

/** The app that Keycloak prefers. Its type is `totp` before version 8. */
function totpOf(user: Json): ForeignTotp | undefined {
  const credential = asList(user['credentials'])
    .map(membersOf)
    .find(({ type }) => type === 'otp' || type === 'totp');
  if (!credential) return undefined;
  const data = asParsed(credential['credentialData']);
  const secret = asText(asParsed(credential['secretData'])['value'] ?? credential['hashedSaltedValue']);
  if (secret === undefined || !hasUsualParameters({ ...credential, ...data })) return { kind: 'unusable' };
  // Without an encoding, the text itself is the secret.
  if (data['secretEncoding'] === 'BASE32') return { kind: 'secret', secret: withoutPadding(secret) };
  return { kind: 'secret', secret: totpSecretOf(Buffer.from(secret)) };
}

const hasUsualParameters = ({ subType = 'totp', digits = 6, period = 30, algorithm = 'HmacSHA1' }: Json): boolean =>
  subType === 'totp' && Number(digits) === 6 && Number(period) === 30 && algorithm === 'HmacSHA1';

interface StoredCredential {
  readonly algorithm: string;
  readonly iterations: number;
  readonly salt: Buffer;
  readonly value: string;
  readonly parameters: Json;
}

function hashOf({ algorithm, iterations, salt, value, parameters }: StoredCredential): string | undefined {
  const digest = PBKDF2_DIGESTS[algorithm];
  if (digest !== undefined) return pbkdf2Hash(digest, { iterations, salt, hash: Buffer.from(value, 'base64') });
  if (algorithm === 'argon2') return argon2Hash(iterations, salt, value, parameters);
  // Extensions store the whole bcrypt hash in the value.
  return asHash(value);
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

function argon2Hash(iterations: number, salt: Buffer, value: string, parameters: Json): string | undefined {
  const type = first(parameters['type']);
  const version = ARGON2_VERSIONS[first(parameters['version']) ?? '1.3'];
  const memory = Number(first(parameters['memory']));
  const parallelism = Number(first(parameters['parallelism']));
  if (version === undefined) return undefined;
  const hash = unpadded(Buffer.from(value, 'base64'));
  const phc = `$argon2${type ?? ''}$v=${version}$m=${memory},t=${iterations},p=${parallelism}$${unpadded(salt)}$${hash}`;
  return isArgon2Hash(phc) ? phc : undefined;
}
