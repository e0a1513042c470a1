import type { SubjectName } from '../oauth';

/** A password as another system kept it. */
export type ForeignPassword =
  | { readonly kind: 'hash'; readonly hash: string }
  /** It was stored in the clear; it is hashed before it is stored here. */
  | { readonly kind: 'plain'; readonly text: string }
  /** There is one, in a form that cannot be verified here. */
  | { readonly kind: 'unusable' };

/** A third-party account that the user logged in with in the other system. */
export interface ForeignIdentity {
  /** The provider's name there. */
  readonly provider: string;
  readonly issuer: string;
  readonly subjects: readonly SubjectName[];
}

/** Unique to one user, and not repeated within a user. */
export const nameKey = ({ provider, issuer }: ForeignIdentity, { claim, value }: SubjectName): string =>
  JSON.stringify([provider, issuer, claim, value]);

/** A user of another system, in our terms but by its rules. */
export interface ForeignUser {
  /** Unique there, and never given to another. */
  readonly sourceId: string;
  /** What they log in with there. */
  readonly name: string | undefined;
  readonly email: string | undefined;
  readonly emailVerified: boolean;
  readonly phone: string | undefined;
  /** ISO 3166-1 alpha-2 of a number without a country code. */
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
  /** Default: none are taken over. */
  readonly identities?: readonly ForeignIdentity[];
}

/** An entry of the file that is not a user to import. */
export interface NobodyToImport {
  readonly sourceId: string | undefined;
  readonly name: string | undefined;
  readonly why: 'no_id' | 'service_account' | 'deleted_there';
}

export type ForeignEntry = ForeignUser | NobodyToImport;

export const isNobody = (entry: ForeignEntry): entry is NobodyToImport => 'why' in entry;

/** Reads the export of one system. */
export interface ForeignSource {
  readonly name: string;
  /** In the order of the file, one at a time. Errors: `UnreadableFile`. */
  read(path: string): AsyncIterable<ForeignEntry>;
}
