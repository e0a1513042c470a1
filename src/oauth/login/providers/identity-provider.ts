/** An identifier of a user at a provider. The same value in another claim may belong to another user. */
export interface SubjectName {
  /** The path of the claim in the mapping. */
  readonly claim: string;
  readonly value: string;
}

/** The profile of a user at a provider. */
export interface ExternalProfile {
  /** The issuer of the subject: the issuer, the tenant, or the host of the provider. Part of the identity's key. */
  readonly issuer: string;
  /**
   * In order of precedence. Others are aliases, such as an openid beside a unionid: an account linked to any of them
   * matches.
   */
  readonly subjects: readonly [SubjectName, ...SubjectName[]];
  readonly email?: string;
  /** Whether the provider states it in a form that its preset accepts. */
  readonly emailVerified: boolean;
  /** In E.164. */
  readonly phone?: string;
  readonly nickname?: string;
  /** An https URL of at most 500 characters. */
  readonly avatar?: string;
}

export interface AuthorizeRequest {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** Set if and only if the provider's `pkce` is on. */
  readonly codeVerifier?: string;
}

export interface CallbackRequest {
  /** The parameters of the callback, from query or form. The caller has validated `state`. */
  readonly params: Readonly<Record<string, string>>;
  /** The redirect URI of the authorization request. */
  readonly redirectUri: string;
  readonly nonce: string;
  readonly codeVerifier?: string;
}

/** A configured provider, ready to use. There is one instance for each version of its row. */
export abstract class IdentityProvider {
  /** Whether the callback is a cross-site form POST, so that the state's cookie must be `SameSite=None; Secure`. */
  abstract readonly answersByFormPost: boolean;

  /** The authorization URL for the browser. Errors: `provider_failed` if discovery fails. */
  abstract authorizeUrl(request: AuthorizeRequest): Promise<URL>;

  /**
   * Exchanges the code of the callback for a profile, within 8 s.
   * Errors: `provider_denied` if the provider sent `error` or no code, `provider_failed` if it is down, too slow or its
   * response is invalid.
   */
  abstract complete(request: CallbackRequest): Promise<ExternalProfile>;
}
