import { Injectable } from '@nestjs/common';
import { LoginProvider } from './login-provider.entity';
import { LoginProviderRepository } from './login-provider.repository';
import { ProviderAdapters } from './provider-adapters';
import { resolveProvider } from './resolve-provider';

/**
 * Templates of providers that give a user the same id in every application. Others give each application its own,
 * or another one than the systems that an import reads (Microsoft).
 */
const STABLE_TEMPLATES: readonly string[] = ['github', 'gitee', 'gitlab', 'google'];

/** Where a login through a provider finds the id of the user. */
export interface SubjectPlace {
  readonly issuer: string;
  readonly claim: string;
}

/** The providers whose users keep their ids when they come from another system. */
@Injectable()
export class StableSubjectsService {
  constructor(
    private readonly providers: LoginProviderRepository,
    private readonly adapters: ProviderAdapters,
  ) {}

  /** By the name of the provider, enabled or not. */
  async find(): Promise<ReadonlyMap<string, SubjectPlace>> {
    const providers = await this.providers.findAll();
    return new Map(
      providers.flatMap((provider) => {
        const place = this.placeOf(provider);
        return place ? [[provider.name, place] as const] : [];
      }),
    );
  }

  private placeOf(provider: LoginProvider): SubjectPlace | undefined {
    const adapter = this.adapters.find(provider.template);
    if (!adapter || !STABLE_TEMPLATES.includes(provider.template)) return undefined;
    const { issuer, mapping } = resolveProvider(provider, adapter.preset);
    const [claim] = mapping.subject.split('|');
    // Another claim than the template's may hold another id.
    return issuer === null || claim === undefined || claim !== adapter.preset.mapping.subject
      ? undefined
      : { issuer, claim };
  }
}
