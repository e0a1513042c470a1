import { ClaimMapping, ProviderEndpoints } from './preset';

/** A provider with everything that its row leaves to the preset filled in, and its secret open. */
export interface ConfiguredProvider extends ProviderEndpoints {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly template: string;
  readonly clientId: string;
  /** Empty: a public client. */
  readonly clientSecret: string;
  readonly scopes: readonly string[];
  readonly mapping: ClaimMapping;
  readonly params: Readonly<Record<string, string>>;
  readonly pkce: boolean;
}
