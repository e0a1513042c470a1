import { ConfiguredProvider } from './configured-provider';
import { ProviderEndpoints, ProviderPreset } from './preset';
import { Claims, ProviderCalls, textOf } from './provider-calls';
import { ProviderFailure } from './provider-failure';
import { AuthorizeRequest, CallbackRequest } from './identity-provider';

/** The addresses of a login, with what a discovery document adds. */
export interface LoginEndpoints {
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  readonly userinfoUrl: string | null;
}

/** The dependencies of every step of a login. */
export interface ProviderContext {
  readonly provider: ConfiguredProvider;
  readonly endpoints: LoginEndpoints;
  readonly calls: ProviderCalls;
}

export interface CodeExchange {
  readonly code: string;
  readonly redirectUri: string;
  readonly codeVerifier?: string;
}

export interface TokenAnswer {
  readonly accessToken: string;
  /** The whole answer of the token endpoint. */
  readonly values: Claims;
}

/**
 * A kind of login provider: its preset, and where it departs from OAuth 2.0 more than data can say. One instance serves
 * every provider of its template. Errors of every method: `ProviderFailure`, or a problem.
 */
export abstract class OAuthProviderAdapter {
  /** The `template` of the API; unique. */
  abstract readonly template: string;

  abstract readonly preset: ProviderPreset;

  /** The addresses a provider of this kind cannot do without. */
  readonly requiredAddresses: readonly (keyof ProviderEndpoints)[] = ['authorizeUrl', 'tokenUrl'];

  /** Where the steps go; asked before every login, so what is fetched for it should be remembered. */
  async endpoints(provider: ConfiguredProvider, _calls: ProviderCalls): Promise<LoginEndpoints> {
    const { authorizeUrl, tokenUrl, userinfoUrl } = provider;
    if (authorizeUrl === null || tokenUrl === null) throw new ProviderFailure('an address is missing');
    return { authorizeUrl, tokenUrl, userinfoUrl };
  }

  /** What the way to the provider carries beside the standard parameters and the preset's. */
  authorizeParameters(_provider: ConfiguredProvider, _request: AuthorizeRequest): Readonly<Record<string, string>> {
    return {};
  }

  /** Refuses a callback that cannot be this provider's; its state has been judged already. */
  checkCallback(_context: ProviderContext, _request: CallbackRequest): void {
    // OAuth 2.0 gives nothing to look at.
  }

  /** Refuses a secret that could never be used. Errors: `KeyFormatError`. */
  checkSecret(_provider: ConfiguredProvider): void {
    // Any text may be a secret.
  }

  /** Looks at what a login needs beside its addresses, when an administrator tests the provider. */
  async checkKeys(_context: ProviderContext): Promise<void> {
    // OAuth 2.0 has no keys.
  }

  /** Replaces the client secret in the token request. */
  clientSecret({ clientSecret }: ConfiguredProvider): string {
    return clientSecret;
  }

  /** Trades the code for tokens; `standard` does it by RFC 6749 §4.1.3, through passport-oauth2. */
  exchange(
    _context: ProviderContext,
    _exchange: CodeExchange,
    standard: () => Promise<TokenAnswer>,
  ): Promise<TokenAnswer> {
    return standard();
  }

  /** All that the provider says of the person; the provider's mapping finds the values in it. */
  async claims({ endpoints, calls }: ProviderContext, token: TokenAnswer, _request: CallbackRequest): Promise<Claims> {
    if (endpoints.userinfoUrl === null) return token.values;
    return calls.get('user info', endpoints.userinfoUrl, { authorization: `Bearer ${token.accessToken}` });
  }

  /** Who vouches for the subject, as the identity's key keeps it. */
  issuer({ provider, endpoints }: ProviderContext, _claims: Claims): string {
    return provider.issuer ?? new URL(endpoints.authorizeUrl).origin;
  }
}

/** A token response whose access token has this name. */
export function tokenAnswer(values: Claims, name = 'access_token'): TokenAnswer {
  return { accessToken: textOf(values, name, 'token'), values };
}
