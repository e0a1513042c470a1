import { isStorable, presentMembers } from '../../../platform/util';
import { isAvatarUrl, nicknameFrom, normalizeEmail, normalizePhone } from '../../../users';
import { ClaimMapping, EmailTrust, ProviderPreset } from './preset';
import { Claims } from './provider-calls';
import { ProviderFailure } from './provider-failure';
import { SubjectName, ExternalProfile } from './identity-provider';

const MAX_SUBJECT = 255;
const MAX_ISSUER = 512;
const MAX_CLAIM = 400;
const MAX_AVATAR = 500;

function valueAt(claims: Claims, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    return (value as Claims)[name];
  }, claims);
}

/**
 * The claims at the alternative paths that are texts or integers, in order and without duplicates. Integers become
 * text.
 */
function namesAt(claims: Claims, path: string | null): SubjectName[] {
  const alternatives = path === null ? [] : [...new Set(path.split('|'))];
  return alternatives.flatMap((claim) => {
    const value = valueAt(claims, claim);
    if (typeof value === 'number' && Number.isSafeInteger(value)) return [{ claim, value: String(value) }];
    return typeof value === 'string' && value.trim() !== '' ? [{ claim, value }] : [];
  });
}

/** Rejects values that storing would change, because the changed value could match another user's subject. */
const isKey = (text: string, max: number): boolean => text.length <= max && isStorable(text);

/** Whether the subject may identify a user. */
export const isSubjectKey = (issuer: string, { claim, value }: SubjectName): boolean =>
  [issuer, claim, value].every((text) => text !== '') &&
  isKey(issuer, MAX_ISSUER) &&
  isKey(claim, MAX_CLAIM) &&
  isKey(value, MAX_SUBJECT);

function subjectsOf(claims: Claims, path: string): ExternalProfile['subjects'] {
  const [subject, ...others] = namesAt(claims, path).filter(({ value }) => isKey(value, MAX_SUBJECT));
  if (subject === undefined) throw new ProviderFailure('profile: no subject');
  return [subject, ...others];
}

/** Only `true` counts. Values such as 1, "yes" or an object do not. */
function isStatedTrue(value: unknown, trust: EmailTrust): boolean {
  if (trust === 'never') return false;
  return value === true || (trust === 'boolean_or_text' && value === 'true');
}

/**
 * Some providers give http URLs for hosts with https, so https is tried, and some leave spaces and other letters
 * unencoded. Other avatars are dropped.
 */
function avatarOf(text: string | undefined): string | undefined {
  const address = text?.trim().replace(/^http:/, 'https:') ?? '';
  if (address.length > MAX_AVATAR || !URL.canParse(address)) return undefined;
  const { href } = new URL(address);
  return isAvatarUrl(href) ? href : undefined;
}

/** Maps the provider's claims to a profile and drops invalid values. Errors: `ProviderFailure`. */
export function buildProfile(
  claims: Claims,
  issuer: string,
  { mapping, preset }: { mapping: ClaimMapping; preset: ProviderPreset },
): ExternalProfile {
  if (!isKey(issuer, MAX_ISSUER)) throw new ProviderFailure('profile: issuer');
  const first = (path: string | null): string | undefined => namesAt(claims, path)[0]?.value;
  const stated = first(mapping.email);
  const email = normalizeEmail(stated)?.display;
  const verified = mapping.email_verified === null ? undefined : valueAt(claims, mapping.email_verified);
  const known = {
    email,
    phone: normalizePhone(first(mapping.phone), preset.phoneRegion ?? 'CN'),
    nickname: nicknameFrom(first(mapping.nickname) ?? ''),
    avatar: avatarOf(first(mapping.avatar)),
  };
  return {
    issuer,
    subjects: subjectsOf(claims, mapping.subject),
    // A mailbox that reads like another one after a normalization is not that one.
    emailVerified: email !== undefined && email === stated?.trim() && isStatedTrue(verified, preset.emailTrust),
    ...presentMembers(known),
  };
}
