/** Paths of the profile's claims in the provider's response: dotted, alternatives separated by `|`. null: not given. */
export interface ClaimMapping {
  /** The first existing alternative identifies the user. The others are stored as aliases. */
  readonly subject: string;
  readonly email: string | null;
  readonly email_verified: string | null;
  readonly phone: string | null;
  readonly nickname: string | null;
  readonly avatar: string | null;
}

/**
 * Endpoints can contain parameters of the provider: `{tenant}`, and `{issuer}`. null: from the discovery document, or
 * none.
 */
export interface ProviderEndpoints {
  readonly authorizeUrl: string | null;
  readonly tokenUrl: string | null;
  readonly userinfoUrl: string | null;
  readonly issuer: string | null;
}

/**
 * A field that the operator fills in besides client id and secret. Its texts are in `i18n/<language>/providers.json`.
 */
export interface ProviderField {
  readonly name: string;
  readonly required: boolean;
  /** Must match the whole value. */
  readonly pattern: RegExp;
  /** The default value. */
  readonly fallback?: string;
}

/**
 * When the provider's claim that an e-mail address is verified counts: never, for the boolean `true`, or also for the
 * text "true".
 */
export type EmailTrust = 'never' | 'boolean' | 'boolean_or_text';

/** The differences of a template from plain OAuth 2.0, as data. */
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
    /** Values can contain parameters of the provider, as endpoints can. */
    readonly extra?: Readonly<Record<string, string>>;
    readonly fragment?: string;
  };
  /** The parameters that may carry the code. The first one present is used. Default: `code`. */
  readonly codeParameters?: readonly string[];
  /** Whether the callback is a cross-site form POST. */
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

/** Replaces the preset of a template that the host no longer provides: only the row's own values apply. */
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
