import type { SubjectName } from '../oauth';
import type { OnBytes } from './file-text';

/** A password in the form that the other system stored. */
export type ForeignPassword =
  | { readonly kind: 'hash'; readonly hash: string }
  /** Stored in plain text. It is hashed before the import stores it. */
  | { readonly kind: 'plain'; readonly text: string }
  /** Stored in a form that this service cannot verify. */
  | { readonly kind: 'unusable' };

/** A third-party account that the user logged in with in the other system. */
export interface ForeignIdentity {
  /** The name of the provider in the other system. */
  readonly provider: string;
  readonly issuer: string;
  readonly subjects: readonly SubjectName[];
}

/** A third-party account by the id alone that the provider gave the user. */
export interface SocialLink {
  /** The name of the provider in the other system. */
  readonly provider: string;
  readonly subject: string;
}

/** An authenticator app of the other system. */
export type ForeignTotp =
  /** Base32. */
  | { readonly kind: 'secret'; readonly secret: string }
  /** With other parameters than six digits, 30 seconds and SHA-1. */
  | { readonly kind: 'unusable' };

/** The terms that the user accepted in another Castellan. */
export interface AcceptedTerms {
  readonly version: string;
  readonly at: Date;
}

/** An organization of another system that a user is a member of. */
export interface ForeignOrganization {
  /** The id in the other system, where it is unique and never reassigned. */
  readonly sourceId: string | undefined;
  /** The name for machines, in addresses and claims. */
  readonly slug: string | undefined;
  readonly name: string | undefined;
  /** Default: none. They must be verified again. */
  readonly domains?: readonly string[];
}

/** A key that identifies one subject of one provider. */
export const nameKey = ({ provider, issuer }: ForeignIdentity, { claim, value }: SubjectName): string =>
  JSON.stringify([provider, issuer, claim, value]);

/** A user of another system, not yet validated. */
export interface ForeignUser {
  /** The id in the other system, where it is unique and never reassigned. */
  readonly sourceId: string;
  /** The login name in the other system. */
  readonly name: string | undefined;
  /** The name that the user types at a login there. Default: the name, or else the e-mail address. null: none. */
  readonly formerName?: string | null | undefined;
  readonly email: string | undefined;
  readonly emailVerified: boolean;
  readonly phone: string | undefined;
  /** The region (ISO 3166-1 alpha-2) for a number without a country code. */
  readonly phoneRegion: string | undefined;
  readonly phoneVerified: boolean;
  readonly nickname: string | undefined;
  readonly avatar: string | undefined;
  readonly locale: string | undefined;
  readonly isDisabled: boolean;
  readonly mustChangePassword: boolean;
  readonly createdAt: Date | undefined;
  readonly password: ForeignPassword | undefined;
  readonly roles: readonly string[];
  /** Paths of groups, with `/` between parent and child. Default: none. */
  readonly groups?: readonly string[];
  /** Default: none. */
  readonly organizations?: readonly ForeignOrganization[];
  /** Default: none. */
  readonly identities?: readonly ForeignIdentity[];
  /** Default: none. */
  readonly socialLinks?: readonly SocialLink[];
  /** Default: none. */
  readonly totp?: ForeignTotp | undefined;
  /** By the name in the other system. Default: none. */
  readonly attributes?: Readonly<Record<string, unknown>>;
  /** Default: none. */
  readonly terms?: AcceptedTerms | undefined;
}

/** A line of NDJSON that is not an object. */
export const unreadableLine = (line: number): SkippedEntry => ({
  sourceId: undefined,
  name: undefined,
  why: 'not_json',
  line,
});

/** An entry of the file that is not a user to import. */
export interface SkippedEntry {
  readonly sourceId: string | undefined;
  readonly name: string | undefined;
  readonly why: 'no_id' | 'service_account' | 'deleted_there' | 'not_json';
  /** The line that is not JSON. */
  readonly line?: number;
}

export type ForeignEntry = ForeignUser | SkippedEntry;

export const isSkipped = (entry: ForeignEntry): entry is SkippedEntry => 'why' in entry;

/** Reads the export of one system. */
export interface ForeignSource {
  readonly name: string;
  /** Yields the entries one at a time, in the order of the file. Errors: `UnreadableFile`. */
  read(path: string, onBytes?: OnBytes): AsyncIterable<ForeignEntry>;
}
