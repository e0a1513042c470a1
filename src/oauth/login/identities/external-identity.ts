import { checkNickname, EmailAddress, isAvatarUrl, maskEmail, normalizeEmail, UserView } from '../../../users';
import { ProviderView, ExternalProfile } from '../providers';
import { SubjectKey } from './identity.repository';

/** A user as a provider describes them. */
export interface ExternalIdentity {
  readonly provider: ProviderView;
  readonly profile: ExternalProfile;
}

const SHOWN_ENDS = 2;

export function subjectKey({ provider, profile }: ExternalIdentity): SubjectKey {
  const { issuer, subjects } = profile;
  return { providerId: provider.id, issuer, subjects };
}

/** The e-mail address if a trusted provider has verified it. It counts like a code that the user entered. */
export function provenEmail({ provider, profile }: ExternalIdentity): EmailAddress | undefined {
  return provider.trustEmail && profile.emailVerified ? normalizeEmail(profile.email) : undefined;
}

/**
 * Whether the identity may be linked to the account. That of an organization's provider needs the same address, verified
 * by both: its organization may limit logins to the provider, so a password must not be enough for a link.
 */
export function mayBeLinked(
  { provider, profile }: ExternalIdentity,
  { emailKey, emailVerified }: Pick<UserView, 'emailKey' | 'emailVerified'>,
): boolean {
  if (provider.organizationId === null) return true;
  return profile.emailVerified && emailVerified && emailKey !== null && normalizeEmail(profile.email)?.key === emailKey;
}

/** Helps the owner to recognize the identity without revealing it to others. */
export function subjectHint({ profile: { email, nickname, subjects } }: ExternalIdentity): string {
  if (email !== undefined && normalizeEmail(email)) return maskEmail(email);
  if (nickname !== undefined && isShowable(nickname)) return nickname;
  return endsOf(subjects[0].value);
}

/** The first and last characters, enough for the owner to recognize the subject. */
export function endsOf(subject: string): string {
  const characters = Array.from(subject);
  return `${characters.slice(0, SHOWN_ENDS).join('')}…${characters.slice(-SHOWN_ENDS).join('')}`;
}

/** The profile values that a new account accepts. */
export function accountFace({ profile: { nickname, avatar } }: ExternalIdentity): {
  nickname?: string;
  avatar?: string;
} {
  return {
    ...(nickname !== undefined && isShowable(nickname) && { nickname }),
    ...(avatar !== undefined && isAvatarUrl(avatar) && { avatar }),
  };
}

const isShowable = (nickname: string): boolean => nickname !== '' && checkNickname(nickname) === undefined;
