const DRAWN = /^\/api\/avatar\/[A-Za-z0-9_-]{1,64}\.svg$/;
const UPLOADED = /^\/api\/avatar\/([A-Za-z0-9_-]{22})\.(?:png|jpg|webp)$/;
const MAX_LENGTH = 500;

/**
 * `https://`, a host, and only the characters of RFC 3986 §2. URL parsers are laxer: they drop tabs, read `\` as `/`,
 * accept `https:host` and skip extra slashes before the host.
 */
const WRITTEN_HTTPS = /^https:\/\/[A-Za-z0-9[][A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]*$/i;
const WITH_CREDENTIALS = /^https:\/\/[^/?#]*@/i;

/**
 * Whether the value is a path `/api/avatar/<seed>.svg` of this service or an https URL of at most 500 characters
 * without credentials.
 */
export function isAvatarUrl(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return false;
  return DRAWN.test(value) || isPlainHttps(value);
}

/** Whether the avatar is at another site, whose host sees who looks at it. */
export const isExternalAvatar = (avatar: string): boolean => avatar !== '' && !avatar.startsWith('/');

export interface AvatarOwner {
  readonly id: string;
  readonly avatar: string;
}

/** What is shown where external avatars are not: always the same for a user. */
export const shownAvatar = ({ id, avatar }: AvatarOwner): string =>
  isExternalAvatar(avatar) ? `/api/avatar/${id}.svg` : avatar;

/** The name of the uploaded picture at the path; undefined for any other avatar. */
export const pictureNameOf = (avatar: string): string | undefined => UPLOADED.exec(avatar)?.[1];

function isPlainHttps(text: string): boolean {
  return WRITTEN_HTTPS.test(text) && !WITH_CREDENTIALS.test(text) && URL.canParse(text);
}
