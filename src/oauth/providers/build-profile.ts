import { isStorable } from '../../platform/text';
import { normalizeEmail, normalizePhone } from '../../users';
import { ClaimMapping, EmailTrust, ProviderPreset } from './preset';
import { Claims } from './provider-calls';
import { ProviderFailure } from './provider-failure';
import { SubjectName, UpstreamProfile } from './upstream';

const MOST_SUBJECT = 255;
const MOST_ISSUER = 512;
const MOST_CLAIM = 400;
const MOST_NICKNAME = 50;
const MOST_AVATAR = 500;

function valueAt(claims: Claims, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    return (value as Claims)[name];
  }, claims);
}

/** The alternatives that are texts or whole numbers, in their order and each once; numbers as ids are written. */
function namesAt(claims: Claims, path: string | null): SubjectName[] {
  const alternatives = path === null ? [] : [...new Set(path.split('|'))];
  return alternatives.flatMap((claim) => {
    const value = valueAt(claims, claim);
    if (typeof value === 'number' && Number.isSafeInteger(value)) return [{ claim, value: String(value) }];
    return typeof value === 'string' && value.trim() !== '' ? [{ claim, value }] : [];
  });
}

/** What is not kept as it was said would be somebody else's name the next time. */
const isKey = (text: string, most: number): boolean => text.length <= most && isStorable(text);

/** Whether somebody who logs in may be known by it. */
export const isSubjectKey = (issuer: string, { claim, value }: SubjectName): boolean =>
  [issuer, claim, value].every((text) => text !== '') &&
  isKey(issuer, MOST_ISSUER) &&
  isKey(claim, MOST_CLAIM) &&
  isKey(value, MOST_SUBJECT);

function subjectsOf(claims: Claims, path: string): UpstreamProfile['subjects'] {
  const [subject, ...others] = namesAt(claims, path).filter(({ value }) => isKey(value, MOST_SUBJECT));
  if (subject === undefined) throw new ProviderFailure('profile: no subject');
  return [subject, ...others];
}

/** "verified" as a claim of 1, "yes" or an object is no word of anybody's. */
function isVerified(value: unknown, trust: EmailTrust): boolean {
  if (trust === 'never') return false;
  return value === true || (trust === 'boolean_or_text' && value === 'true');
}

function nicknameOf(text: string | undefined): string | undefined {
  const plain = (text ?? '').toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '');
  const short = Array.from(plain.trim()).slice(0, MOST_NICKNAME).join('').trim();
  return short === '' ? undefined : short;
}

/** Some say http of hosts that answer https as well; a picture over http is none. */
function avatarOf(text: string | undefined): string | undefined {
  const address = text?.replace(/^http:/, 'https:') ?? '';
  const isFine = address.length <= MOST_AVATAR && URL.canParse(address) && new URL(address).protocol === 'https:';
  return isFine ? address : undefined;
}

/** What the provider said, in our forms; what is not fit to be kept is left out. Errors: `ProviderFailure`. */
export function buildProfile(
  claims: Claims,
  issuer: string,
  { mapping, preset }: { mapping: ClaimMapping; preset: ProviderPreset },
): UpstreamProfile {
  if (!isKey(issuer, MOST_ISSUER)) throw new ProviderFailure('profile: issuer');
  const first = (path: string | null): string | undefined => namesAt(claims, path)[0]?.value;
  const email = normalizeEmail(first(mapping.email))?.display;
  const verified = mapping.email_verified === null ? undefined : valueAt(claims, mapping.email_verified);
  const known = {
    email,
    phone: normalizePhone(first(mapping.phone), preset.phoneRegion ?? 'CN'),
    nickname: nicknameOf(first(mapping.nickname)),
    avatar: avatarOf(first(mapping.avatar)),
  };
  return {
    issuer,
    subjects: subjectsOf(claims, mapping.subject),
    emailVerified: email !== undefined && isVerified(verified, preset.emailTrust),
    ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)),
  };
}
