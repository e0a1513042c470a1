import { Injectable } from '@nestjs/common';
import { DomainOwnersService } from '../../../organizations/domains';
import { RateLimiterService } from '../../../platform/http';
import { normalizeEmail } from '../../../users';
import { IdentityProviderRegistry, ProviderView } from '../providers';
import { FLOW_LIMIT } from './login-start.service';

/** Finds the login provider for what a user enters first on a login page. */
@Injectable()
export class IdentifierLookupService {
  constructor(
    private readonly identityProviders: IdentityProviderRegistry,
    private readonly domainOwners: DomainOwnersService,
    private readonly limiter: RateLimiterService,
  ) {}

  /**
   * The provider of the organization that has proved the domain of an e-mail address. Depends on the domain only, so
   * that the answer does not tell whether there is an account. Errors: `rate_limited`.
   * @param limitKey the address that is limited.
   */
  async find(identifier: string, limitKey: string): Promise<ProviderView | undefined> {
    await this.limiter.count(FLOW_LIMIT, limitKey);
    const email = normalizeEmail(identifier);
    const organizationId = email && (await this.domainOwners.organizationOf(email.key));
    if (organizationId === undefined) return undefined;
    const providers = await this.identityProviders.enabled();
    return providers.find((provider) => provider.organizationId === organizationId);
  }
}
