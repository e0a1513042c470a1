/**
 * Where the provider's response holds the values of a profile: dotted paths, alternatives separated by `|`; null: not
 * given.
 */
export interface ClaimMapping {
  /** The first alternative that is there names the person; the others are kept beside it. */
  readonly subject: string;
  readonly email: string | null;
  readonly email_verified: string | null;
  readonly phone: string | null;
  readonly nickname: string | null;
  readonly avatar: string | null;
}

/** Addresses may name parameters of the provider: `{tenant}`, and `{issuer}`. null: from the discovery document, or none. */
export interface ProviderEndpoints {
  readonly authorizeUrl: string | null;
  readonly tokenUrl: string | null;
  readonly userinfoUrl: string | null;
  readonly issuer: string | null;
}

/** What an operator fills in beside client id and secret; its texts are in `i18n/<language>/providers.json`. */
export interface ProviderField {
  readonly name: string;
  readonly required: boolean;
  /** What the value must look like, whole. */
  readonly pattern: RegExp;
  /** Takes the place of a value that is left out. */
  readonly fallback?: string;
}

/**
 * When the provider's word that an e-mail is verified counts: never; for the boolean `true`; or also for the text "true".
 */
export type EmailTrust = 'never' | 'boolean' | 'boolean_or_text';

/** How a kind of provider differs from plain OAuth 2.0, as data. */
export interface ProviderPreset {
  readonly label: string;
  readonly endpoints: ProviderEndpoints;
  readonly scopes: readonly string[];
  /** Default: a space (RFC 6749 §3.3). */
  readonly scopeSeparator?: string;
  readonly mapping: ClaimMapping;
  readonly pkce: boolean;
  readonly emailTrust: EmailTrust;
  readonly fields: readonly ProviderField[];
  readonly authorize?: {
    /** The provider's names for standard parameters: `{ client_id: 'appid' }`. */
    readonly names?: Readonly<Record<string, string>>;
    readonly omit?: readonly string[];
    /** Values may name parameters of the provider, as addresses do. */
    readonly extra?: Readonly<Record<string, string>>;
    readonly fragment?: string;
  };
  /** Where the callback carries the code, the first that is there. Default: `code`. */
  readonly codeParameters?: readonly string[];
  /** The callback comes as a cross-site form POST. */
  readonly formPost?: boolean;
  /** The region of national phone numbers. */
  readonly phoneRegion?: string;
}

export const NO_CLAIMS: ClaimMapping = {
  subject: 'sub',
  email: null,
  email_verified: null,
  phone: null,
  nickname: null,
  avatar: null,
};

/** In place of a template that the host no longer brings: what a row says by itself. */
export const NO_PRESET: ProviderPreset = {
  label: '',
  endpoints: { authorizeUrl: null, tokenUrl: null, userinfoUrl: null, issuer: null },
  scopes: [],
  mapping: NO_CLAIMS,
  pkce: false,
  emailTrust: 'never',
  fields: [],
};

export const OPENID_CLAIMS: ClaimMapping = {
  subject: 'sub',
  email: 'email',
  email_verified: 'email_verified',
  phone: null,
  nickname: 'nickname|name|preferred_username',
  avatar: 'picture',
};
