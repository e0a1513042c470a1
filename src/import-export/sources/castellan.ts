import { isArgon2Hash, isForeignHash } from '../../platform/crypto';
import { membersOf } from '../../platform/text';
import { ForeignEntry, ForeignIdentity, ForeignPassword, ForeignSource } from '../foreign-user';
import { readJsonValues, WHOLE } from '../json-values';
import { asList, asMoment, asText, isTrue, Json } from './fields';

/** Every user has it here without importing it. */
const ROLE_OF_ALL = 'user';

/** What `cli export` of another Castellan prints, with password hashes or without. */
export const castellan: ForeignSource = {
  name: 'castellan',

  async *read(path) {
    for await (const { value } of readJsonValues(path, { ofObject: [WHOLE], ofList: ['$.*'] })) {
      yield entryOf(membersOf(value));
    }
  },
};

function entryOf(user: Json): ForeignEntry {
  const sourceId = asText(user['id']);
  const name = asText(user['username']);
  if (sourceId === undefined) return { sourceId, name, why: 'no_id' };
  return {
    sourceId,
    name,
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
    identities: identitiesOf(user),
  };
}

function passwordOf(user: Json): ForeignPassword | undefined {
  const hash = asText(user['password_hash']);
  if (hash === undefined) return undefined;
  return isArgon2Hash(hash) || isForeignHash(hash) ? { kind: 'hash', hash } : { kind: 'unusable' };
}

/** Those of different scopes may have one name, and are different roles. */
const rolesOf = (user: Json): string[] =>
  asList(user['roles'])
    .map(membersOf)
    .filter(({ name }) => name !== ROLE_OF_ALL)
    .map(({ scope, name }) => `${asText(scope) ?? ''}.${asText(name) ?? ''}`);

/** Spaces are kept: a changed name could be another user's name. */
const asSaid = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A line for each name that a person goes by there; those of one `id` belong together. */
function identitiesOf(user: Json): ForeignIdentity[] {
  const identities = new Map<string, ForeignIdentity>();
  asList(user['identities']).forEach((value, place) => {
    const line = membersOf(value);
    const [provider, issuer] = [asSaid(line['provider']), asSaid(line['issuer'])];
    const subject = { claim: asSaid(line['claim']), value: asSaid(line['subject']) };
    const key = JSON.stringify([asText(line['id']) ?? place, provider, issuer]);
    const known = identities.get(key)?.subjects ?? [];
    identities.set(key, { provider, issuer, subjects: [...known, subject] });
  });
  return [...identities.values()];
}
