import { Injectable } from '@nestjs/common';
import { CredentialSource, CredentialSources } from '../../users';
import { Upstreams } from '../providers';
import { IdentityRepository } from './identity.repository';

/** Third-party accounts, while their provider is offered. */
@Injectable()
export class IdentityCredentials extends CredentialSource {
  constructor(
    private readonly identities: IdentityRepository,
    private readonly upstreams: Upstreams,
    sources: CredentialSources,
  ) {
    super();
    sources.add(this);
  }

  async ableAmong(userIds: readonly string[]): Promise<readonly string[]> {
    const offered = (await this.upstreams.enabled()).map(({ id }) => id);
    return offered.length === 0 ? [] : this.identities.usersLinkedThrough(offered, userIds);
  }
}
