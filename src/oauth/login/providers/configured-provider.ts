import { ClaimMapping, ProviderEndpoints } from './preset';

/** A provider with the defaults of its preset and its secret decrypted. */
export interface ConfiguredProvider extends ProviderEndpoints {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly template: string;
  readonly clientId: string;
  /** Empty for a public client. */
  readonly clientSecret: string;
  readonly scopes: readonly string[];
  readonly mapping: ClaimMapping;
  readonly params: Readonly<Record<string, string>>;
  readonly pkce: boolean;
  /** Whether users are read from the ID token alone, although discovery may name a userinfo endpoint. */
  readonly withoutUserinfo: boolean;
}
