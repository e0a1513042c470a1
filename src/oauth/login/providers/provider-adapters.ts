import { OAuthProviderAdapter } from './oauth-provider-adapter';

/** The kinds of provider there are: those of the service, and those of the host. */
export class ProviderAdapters {
  private readonly adapters = new Map<string, OAuthProviderAdapter>();

  /** Refuses a second adapter of one template. */
  add(adapter: OAuthProviderAdapter): void {
    if (this.adapters.has(adapter.template)) {
      throw new Error(`There are two login provider adapters of template ${adapter.template}`);
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
