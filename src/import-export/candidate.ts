import { sha256 } from '../platform/crypto';
import { languages } from '../platform/i18n';
import { isUsableTotpSecret } from '../mfa';
import { isSubjectKey, SubjectPlace } from '../oauth';
import { isStorable } from '../platform/util';
import {
  nicknameFrom,
  EmailAddress,
  isAvatarUrl,
  checkNewUsername,
  MAX_TERMS_VERSION,
  normalizeEmail,
  normalizePhone,
  usernameFrom,
} from '../users';
import { CandidateOrganization, organizationsFrom } from './candidate-organization';
import { AcceptedTerms, ForeignIdentity, ForeignPassword, ForeignUser, nameKey, SocialLink } from './foreign-user';
import { LoginName, loginNameOf } from './login-name';

/** What could not be imported unchanged. */
export type ImportNote =
  | 'renamed'
  | 'email_invalid'
  | 'phone_invalid'
  | 'nickname_invalid'
  | 'locale_unknown'
  | 'contact_left_out'
  | 'password_unusable'
  | 'weak_password_hash'
  | 'role_left_out'
  | 'group_left_out'
  | 'organization_left_out'
  | 'identity_left_out'
  | 'factor_left_out'
  | 'attribute_left_out'
  | 'login_name_lost'
  | 'no_way_in';

/** A user to import, normalized to the rules of this service. */
export interface Candidate {
  readonly sourceId: string;
  /** The login name in the other system. */
  readonly name: string | undefined;
  readonly username: string;
  /** The username to use instead when `username` is derived and already taken. */
  readonly otherUsername: string | undefined;
  readonly loginName: LoginName | undefined;
  readonly email: EmailAddress | undefined;
  readonly emailVerified: boolean;
  readonly phone: string | undefined;
  readonly phoneVerified: boolean;
  readonly nickname: string;
  /** undefined: a generated avatar. */
  readonly avatar: string | undefined;
  readonly locale: string | null;
  readonly status: 'active' | 'disabled';
  readonly mustChangePassword: boolean;
  readonly createdAt: Date | undefined;
  readonly password: ForeignPassword | undefined;
  /** By the name in the other system, not yet judged. */
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly roles: readonly string[];
  /** Names from the group at the top. */
  readonly groups: readonly (readonly string[])[];
  readonly organizations: readonly CandidateOrganization[];
  readonly identities: readonly ForeignIdentity[];
  readonly terms: AcceptedTerms | undefined;
  /** Base32. */
  readonly totpSecret: string | undefined;
  readonly notes: readonly ImportNote[];
}

/** The candidate without a contact that belongs to another account. */
export function withoutContact(candidate: Candidate, contact: 'email' | 'phone'): Candidate {
  const notes = candidate.notes.includes('contact_left_out')
    ? candidate.notes
    : [...candidate.notes, 'contact_left_out' as const];
  return contact === 'email'
    ? { ...candidate, notes, email: undefined, emailVerified: false }
    : { ...candidate, notes, phone: undefined, phoneVerified: false };
}

const MAX_ID_LENGTH = 255;
const SUFFIX = 6;

export interface CandidateContext {
  /** The name of the other system. */
  readonly source: string;
  /** The providers, by name, whose users have the same id here. */
  readonly places: ReadonlyMap<string, SubjectPlace>;
  readonly defaultRegion: string;
}

/** Undefined when the id in the other system cannot be stored. */
export function candidateOf(
  { source, places, defaultRegion }: CandidateContext,
  user: ForeignUser,
): Candidate | undefined {
  const { sourceId, name } = user;
  if (sourceId.length > MAX_ID_LENGTH || !isStorable(sourceId)) return undefined;
  const names = usernamesOf(source, user);
  const contacts = contactsOf(user, defaultRegion);
  const { identities: named = [], socialLinks = [] } = user;
  const identities = withoutRepeats([...named, ...linkedHere(socialLinks, places)].filter(isUsableIdentity));
  const totpSecret = usableSecretOf(user);
  const profile = { nickname: nicknameOf(user), locale: localeOf(user) };
  return {
    sourceId,
    name: name ?? user.email,
    ...names,
    ...contacts,
    loginName: loginNameOf(user, defaultRegion),
    ...profile,
    avatar: isAvatarUrl(user.avatar) ? user.avatar : undefined,
    status: user.isDisabled ? 'disabled' : 'active',
    mustChangePassword: user.mustChangePassword,
    createdAt: user.createdAt,
    password: user.password,
    attributes: user.attributes ?? {},
    roles: [...new Set(user.roles)],
    groups: [...new Set(user.groups)].map(namesOnPath),
    organizations: organizationsFrom(source, user.organizations),
    identities,
    terms: usableTerms(user),
    totpSecret,
    notes: notesOf(user, { ...names, ...contacts, ...profile, identities, totpSecret }),
  };
}

/** Otherwise the user is asked again. */
const usableTerms = ({ terms }: ForeignUser): AcceptedTerms | undefined =>
  terms && terms.version.length <= MAX_TERMS_VERSION && isStorable(terms.version) ? terms : undefined;

type Contacts = Pick<Candidate, 'email' | 'emailVerified' | 'phone' | 'phoneVerified'>;

function contactsOf(user: ForeignUser, defaultRegion: string): Contacts {
  const email = normalizeEmail(user.email);
  const phone = normalizePhone(user.phone, user.phoneRegion ?? defaultRegion);
  return {
    email,
    emailVerified: email !== undefined && user.emailVerified,
    phone,
    phoneVerified: phone !== undefined && user.phoneVerified,
  };
}

/** The notes on values that could not be imported unchanged. */
function notesOf(
  user: ForeignUser,
  taken: Contacts & Pick<Candidate, 'username' | 'nickname' | 'locale' | 'identities' | 'totpSecret'>,
): ImportNote[] {
  const { identities = [], socialLinks = [] } = user;
  const isTrue: Partial<Record<ImportNote, boolean>> = {
    renamed: user.name !== undefined && taken.username !== user.name,
    email_invalid: isLost(user.email, taken.email),
    phone_invalid: isLost(user.phone, taken.phone),
    nickname_invalid: isLost(user.nickname, taken.nickname),
    locale_unknown: isLost(user.locale, taken.locale),
    password_unusable: user.password?.kind === 'unusable',
    identity_left_out: taken.identities.length < identities.length + socialLinks.length,
    factor_left_out: user.totp !== undefined && taken.totpSecret === undefined,
  };
  return (Object.keys(isTrue) as ImportNote[]).filter((note) => isTrue[note]);
}

const isLost = (given: string | undefined, taken: unknown): boolean => given !== undefined && given !== '' && !taken;

/** The name, or a username derived from it. The result is the same at every import and independent of the order. */
function usernamesOf(source: string, user: ForeignUser): Pick<Candidate, 'username' | 'otherUsername'> {
  const { name, email, sourceId } = user;
  const text = (name ?? email ?? '').replace(/@.*$/s, '');
  if (name !== undefined && checkNewUsername(name) === undefined) return { username: name, otherUsername: undefined };
  const digest = sha256(`${source} ${sourceId}`).replace(/[^A-Za-z0-9]/g, '');
  return {
    username: usernameFrom(text),
    otherUsername: usernameFrom(text, `_${digest.slice(0, SUFFIX).toLowerCase()}`),
  };
}

const nicknameOf = ({ nickname = '' }: ForeignUser): string => nicknameFrom(nickname) ?? '';

const localeOf = ({ locale = '' }: ForeignUser): string | null =>
  languages.find((language) => new RegExp(`^${language}(?:[-_]|$)`, 'i').test(locale)) ?? null;

/** The links to providers that are configured here under the same name and give their users the same ids. */
const linkedHere = (links: readonly SocialLink[], places: CandidateContext['places']): ForeignIdentity[] =>
  links.flatMap(({ provider, subject }) => {
    const place = places.get(provider);
    return place ? [{ provider, issuer: place.issuer, subjects: [{ claim: place.claim, value: subject }] }] : [];
  });

function usableSecretOf({ totp }: ForeignUser): string | undefined {
  return totp?.kind === 'secret' && isUsableTotpSecret(totp.secret) ? totp.secret : undefined;
}

/** The path `/staff/editors` names two groups. */
const namesOnPath = (path: string): string[] => path.replace(/^\//, '').split('/');

/** Whether a login with the provider could return this identity. */
const isUsableIdentity = ({ provider, issuer, subjects }: ForeignIdentity): boolean =>
  provider !== '' && isStorable(provider) && subjects.every((subject) => isSubjectKey(issuer, subject));

/** Drops repeated subjects. A subject belongs to one identity, and an identity without subjects is dropped. */
function withoutRepeats(identities: readonly ForeignIdentity[]): ForeignIdentity[] {
  const known = new Set<string>();
  return identities.flatMap((identity) => {
    const subjects = identity.subjects.filter((subject) => {
      const key = nameKey(identity, subject);
      const isNew = !known.has(key);
      known.add(key);
      return isNew;
    });
    return subjects.length === 0 ? [] : [{ ...identity, subjects }];
  });
}
