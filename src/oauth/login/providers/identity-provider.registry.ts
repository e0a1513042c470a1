import { IdentityProvider } from './identity-provider';

/** The non-secret part of a provider that a login needs. */
export interface ProviderView {
  readonly id: string;
  /** Incremented by every change. States and temp tokens of another version are rejected. */
  readonly version: number;
  readonly name: string;
  readonly label: string;
  readonly icon: string | null;
  readonly template: string;
  readonly pkce: boolean;
  readonly autoRegister: boolean;
  readonly trustEmail: boolean;
  /** The organization whose domains limit the e-mail addresses. null: for all users. */
  readonly organizationId: string | null;
}

export interface UsableProvider {
  readonly provider: ProviderView;
  readonly identityProvider: IdentityProvider;
}

/** The enabled providers, cached for at most a second. */
export abstract class IdentityProviderRegistry {
  /** The enabled provider with this name. */
  abstract find(name: string): Promise<UsableProvider | undefined>;

  /** Every enabled provider, ordered by `sort`, then name. */
  abstract enabled(): Promise<readonly ProviderView[]>;

  /** Same as `enabled`, from the database. */
  abstract readEnabled(): Promise<readonly ProviderView[]>;

  /** Whether the database has the provider enabled and unchanged. Locks it until the caller's transaction ends. */
  abstract hold(provider: Pick<ProviderView, 'id' | 'version'>): Promise<boolean>;
}
