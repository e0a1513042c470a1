import { membersOf } from '../../platform/util';
import {
  AcceptedTerms,
  ForeignEntry,
  ForeignIdentity,
  ForeignOrganization,
  ForeignPassword,
  ForeignSource,
  unreadableLine,
} from '../foreign-user';
import { readJsonObjects, UnreadableLine } from '../json-values';
import { asHash, asId, asList, asMoment, asText, asTexts, isTrue, Json } from './fields';

/** Every user of this service already has this role. */
const ROLE_OF_ALL = 'user';

/** The output of `cli export` of another Castellan, with or without password hashes. */
export const castellan: ForeignSource = {
  name: 'castellan',

  async *read(path, onBytes) {
    for await (const value of readJsonObjects(path, onBytes)) {
      yield value instanceof UnreadableLine ? unreadableLine(value.line) : entryOf(membersOf(value));
    }
  },
};

function entryOf(user: Json): ForeignEntry {
  const sourceId = asId(user['id']);
  const name = asText(user['username']);
  if (sourceId === undefined) return { sourceId, name, why: 'no_id' };
  return {
    sourceId,
    name,
    formerName: asText(user['former_username']),
    email: asText(user['email']),
    emailVerified: isTrue(user['email_verified']),
    phone: asText(user['phone']),
    phoneRegion: undefined,
    phoneVerified: isTrue(user['phone_verified']),
    nickname: asText(user['nickname']),
    avatar: asText(user['avatar']),
    locale: asText(user['locale']),
    isDisabled: user['status'] === 'disabled',
    mustChangePassword: isTrue(user['must_change_password']),
    createdAt: asMoment(user['created_at']),
    password: passwordOf(user),
    roles: rolesOf(user),
    groups: asTexts(user['groups']),
    organizations: asList(user['organizations']).map(membersOf).map(organizationOf),
    identities: identitiesOf(user),
    attributes: membersOf(user['attributes']),
    terms: termsOf(user),
  };
}

function passwordOf(user: Json): ForeignPassword | undefined {
  const hash = asText(user['password_hash']);
  if (hash === undefined) return undefined;
  const usable = asHash(hash);
  return usable === undefined ? { kind: 'unusable' } : { kind: 'hash', hash: usable };
}

function termsOf(user: Json): AcceptedTerms | undefined {
  const [version, at] = [asText(user['terms_version']), asMoment(user['terms_accepted_at'])];
  return version === undefined || at === undefined ? undefined : { version, at };
}

/** Prefixes role names with their scope, because roles of different scopes can have the same name. */
const rolesOf = (user: Json): string[] =>
  asList(user['roles'])
    .map(membersOf)
    .filter(({ name }) => name !== ROLE_OF_ALL)
    .map(({ scope, name }) => `${asText(scope) ?? ''}.${asText(name) ?? ''}`);

const organizationOf = (organization: Json): ForeignOrganization => ({
  sourceId: asText(organization['id']),
  slug: asText(organization['slug']),
  name: asText(organization['name']),
});

/** Keeps spaces, because a trimmed subject could be that of another user. */
const asStated = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The export has one entry per subject. Entries with the same `id` belong to one identity. */
function identitiesOf(user: Json): ForeignIdentity[] {
  const identities = new Map<string, ForeignIdentity>();
  asList(user['identities']).forEach((value, place) => {
    const line = membersOf(value);
    const [provider, issuer] = [asStated(line['provider']), asStated(line['issuer'])];
    const subject = { claim: asStated(line['claim']), value: asStated(line['subject']) };
    const key = JSON.stringify([asId(line['id']) ?? place, provider, issuer]);
    const known = identities.get(key)?.subjects ?? [];
    identities.set(key, { provider, issuer, subjects: [...known, subject] });
  });
  return [...identities.values()];
}
