import { Injectable } from '@nestjs/common';
import { domainOfEmail } from './email-domain';
import { OrganizationDomainRepository } from './organization-domain.repository';

/** Finds the organization that an e-mail address belongs to. */
@Injectable()
export class DomainOwnersService {
  constructor(private readonly domains: OrganizationDomainRepository) {}

  /** The id of the organization that has proved the domain of the address. Subdomains do not count. */
  async organizationOf(emailKey: string): Promise<string | undefined> {
    return this.domains.findOwnerId(domainOfEmail(emailKey));
  }
}
