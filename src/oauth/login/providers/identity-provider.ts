/** What a person is called at a provider. The same text under another claim is another's name. */
export interface SubjectName {
  /** The path of the mapping that held it. */
  readonly claim: string;
  readonly value: string;
}

/** What a provider says of the person who logged in there. */
export interface ExternalProfile {
  /** Who vouches for the subject: the issuer, the tenant, or the host of the provider; part of the identity's key. */
  readonly issuer: string;
  /** The one that counts first, then others, as an openid beside a unionid: an account known by one of them is theirs. */
  readonly subjects: readonly [SubjectName, ...SubjectName[]];
  readonly email?: string;
  /** Whether the provider says so itself, in the form that its preset takes for an answer. */
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
  /** Given if and only if the provider's `pkce` is on. */
  readonly codeVerifier?: string;
}

export interface CallbackRequest {
  /** What the browser brought back, from query or form, without `state` having been judged here. */
  readonly params: Readonly<Record<string, string>>;
  /** The very one of the authorize request. */
  readonly redirectUri: string;
  readonly nonce: string;
  readonly codeVerifier?: string;
}

/** A configured provider, ready to use; one instance for each version of its row. */
export abstract class IdentityProvider {
  /** The callback comes as a cross-site form POST, so that the state's cookie must be `SameSite=None; Secure`. */
  abstract readonly answersByFormPost: boolean;

  /** Where the browser goes. Errors: `provider_failed` where the provider's discovery does not answer as it must. */
  abstract authorizeUrl(request: AuthorizeRequest): Promise<URL>;

  /**
   * Trades what the callback brought for a profile, within 8 s.
   * Errors: `provider_denied` where the provider sent `error` or no code; `provider_failed` where it is down, slow or lies.
   */
  abstract complete(request: CallbackRequest): Promise<ExternalProfile>;
}
