import { Injectable } from '@nestjs/common';
import { DomainOwnersService } from '../../../organizations/domains';
import { normalizeEmail } from '../../../users';
import { ExternalIdentity } from '../identities';

/** Limits the provider of an organization to e-mail addresses of the domains that the organization has proved. */
@Injectable()
export class ProviderDomainsService {
  constructor(private readonly owners: DomainOwnersService) {}

  /** Whether the provider may speak for the address. The providers for all users may speak for any. */
  async allow({ provider, profile }: ExternalIdentity): Promise<boolean> {
    if (provider.organizationId === null) return true;
    const address = normalizeEmail(profile.email);
    return address !== undefined && (await this.owners.organizationOf(address.key)) === provider.organizationId;
  }
}
