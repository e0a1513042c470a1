import { Injectable, OnModuleInit } from '@nestjs/common';
import { CredentialSource, CredentialSourceRegistry } from '../../../users';
import { IdentityProviderRegistry } from '../providers';
import { IdentityRepository } from './identity.repository';

/** Linked third-party accounts count as credentials while their provider is enabled. */
@Injectable()
export class IdentityCredentialsService extends CredentialSource implements OnModuleInit {
  constructor(
    private readonly identities: IdentityRepository,
    private readonly identityProviders: IdentityProviderRegistry,
    private readonly sources: CredentialSourceRegistry,
  ) {
    super();
  }

  onModuleInit(): void {
    this.sources.add(this);
  }

  async ableAmong(userIds: readonly string[]): Promise<readonly string[]> {
    const offered = (await this.identityProviders.enabled()).map(({ id }) => id);
    return offered.length === 0 ? [] : this.identities.usersLinkedThrough(offered, userIds);
  }
}
