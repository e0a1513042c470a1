import { OAuthProviderAdapter } from './oauth-provider-adapter';
import { NO_PRESET, ProviderPreset } from './preset';

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

  /** `NO_PRESET` if the template is gone: its providers can still be shown, disabled and deleted. */
  presetOf(template: string): ProviderPreset {
    return this.find(template)?.preset ?? NO_PRESET;
  }

  all(): readonly OAuthProviderAdapter[] {
    return [...this.adapters.values()];
  }
}
