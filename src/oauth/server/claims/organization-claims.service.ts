import { Injectable } from '@nestjs/common';
import { OrganizationNamesService } from '../../../organizations';
import { ORGANIZATION_SCOPE } from '../clients/client-scopes.service';
import { OAuthClient } from '../clients/client.entity';
import { Claims } from './claim-size';

/** The user and the organization of a token. */
interface TokenMember {
  readonly userId: string;
  /** Undefined: the token is for none. */
  readonly organizationId: string | undefined;
}

/** Composes the claims about the organization that a token is for. */
@Injectable()
export class OrganizationClaimsService {
  constructor(private readonly names: OrganizationNamesService) {}

  /** Nothing without the scope `organization`, and for others than members. */
  async ofMember({ userId, organizationId }: TokenMember, scopes: readonly string[]): Promise<Claims> {
    if (organizationId === undefined || !scopes.includes(ORGANIZATION_SCOPE)) return {};
    const membership = await this.names.membershipOf({ userId, organizationId });
    if (!membership) return {};
    return {
      organization_id: organizationId,
      organization_slug: membership.slug,
      organization_roles: membership.roles,
    };
  }

  /** For a token of the client itself, which has no roles. Nothing for a client that is not tied to an organization. */
  async ofClient({ organizationId }: Pick<OAuthClient, 'organizationId'>): Promise<Claims> {
    if (organizationId === null) return {};
    return { organization_id: organizationId, organization_slug: await this.names.slugOf(organizationId) };
  }
}
