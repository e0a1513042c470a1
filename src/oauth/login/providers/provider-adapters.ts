import { OAuthProviderAdapter } from './oauth-provider-adapter';

/** The provider templates of this service and of the host application. */
export class ProviderAdapters {
  private readonly adapters = new Map<string, OAuthProviderAdapter>();

  /** Throws for a second adapter with the same template. */
  add(adapter: OAuthProviderAdapter): void {
    if (this.adapters.has(adapter.template)) {
      throw new Error(`Duplicate login provider adapter for template ${adapter.template}`);
    }
    this.adapters.set(adapter.template, adapter);
  }

  find(template: string): OAuthProviderAdapter | undefined {
    return this.adapters.get(template);
  }

  all(): readonly OAuthProviderAdapter[] {
    return [...this.adapters.values()];
  }
}
