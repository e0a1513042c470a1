import { IdentityProvider } from './identity-provider';

/** Of a provider, what the login needs; no secret is here. */
export interface ProviderView {
  readonly id: string;
  /** Raised by every change; a state or temp token from under another version is refused. */
  readonly version: number;
  readonly name: string;
  readonly label: string;
  readonly icon: string | null;
  readonly template: string;
  readonly pkce: boolean;
  readonly autoRegister: boolean;
  readonly trustEmail: boolean;
}

export interface UsableProvider {
  readonly provider: ProviderView;
  readonly upstream: IdentityProvider;
}

/** The enabled providers, at most a second older than the database. */
export abstract class IdentityProviderRegistry {
  /** The provider of that name, where it is enabled. */
  abstract find(name: string): Promise<UsableProvider | undefined>;

  /** Every enabled provider, by `sort`, then name. */
  abstract enabled(): Promise<readonly ProviderView[]>;

  /**
   * Whether the provider is still enabled and unchanged, by the database itself. In the caller's transaction: it stays so
   * until that ends.
   */
  abstract hold(provider: Pick<ProviderView, 'id' | 'version'>): Promise<boolean>;
}
