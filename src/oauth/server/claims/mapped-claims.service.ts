import { Injectable } from '@nestjs/common';
import { IssuerService } from '../../../platform/http';
import { ClaimPlace } from '../clients/client-claims';
import { PERMISSIONS_SCOPE } from '../clients/client-scopes.service';
import { OAuthClient } from '../clients/client.entity';
import { Claims, fitClaims, withReferences } from './claim-size';
import { ClaimValuesService, ResolvedClaim } from './claim-values.service';

/** Places with a limited size. */
const TOKENS = ['id_token', 'access_token'] as const;

/** What the claims are for. */
export interface ClaimRequest {
  readonly client: OAuthClient;
  readonly userId: string;
  readonly scopes: readonly string[];
  /** Claims of scopes of this service, in every place. Their size counts, too. */
  readonly own: Claims;
}

/** Composes the mapped claims of tokens and userinfo. */
@Injectable()
export class MappedClaimsService {
  constructor(
    private readonly values: ClaimValuesService,
    private readonly issuer: IssuerService,
  ) {}

  /**
   * The claims of a place as they appear there, with their mappings. Nothing without the scope `permissions`, unless the
   * client is a first party, which needs no consent.
   */
  async resolve(request: ClaimRequest, place: ClaimPlace): Promise<ResolvedClaim[]> {
    const { client, userId, scopes } = request;
    if (client.claims.length === 0 || !isEntitled(client, scopes)) return [];
    const mapped = await this.values.resolve(client, userId, place);
    return place === 'userinfo' ? [...mapped, ...(await this.referencedOf(request, mapped))] : mapped;
  }

  /** The claims for a token or for userinfo. Claims beyond the size of a token become references to userinfo. */
  async compose(request: ClaimRequest, place: ClaimPlace): Promise<Claims> {
    const claims = { ...claimsOf(await this.resolve(request, place)), ...request.own };
    if (place === 'userinfo') return claims;
    return withReferences(fitClaims(claims), `${this.issuer.url}/api/oauth/userinfo`);
  }

  /** The claims that tokens only refer to, except for names that userinfo has anyway. */
  private async referencedOf(
    { client, userId, own }: ClaimRequest,
    mapped: readonly ResolvedClaim[],
  ): Promise<ResolvedClaim[]> {
    const found = new Map<string, ResolvedClaim>();
    for (const claims of await Promise.all(TOKENS.map((place) => this.values.resolve(client, userId, place)))) {
      const { referenced } = fitClaims({ ...claimsOf(claims), ...own });
      for (const claim of claims) if (referenced.includes(claim.mapping.name)) found.set(claim.mapping.name, claim);
    }
    for (const { mapping } of mapped) found.delete(mapping.name);
    return [...found.values()];
  }
}

export const isEntitled = ({ firstParty }: OAuthClient, scopes: readonly string[]): boolean =>
  firstParty || scopes.includes(PERMISSIONS_SCOPE);

const claimsOf = (resolved: readonly ResolvedClaim[]): Claims =>
  Object.fromEntries(resolved.map(({ mapping, value }) => [mapping.name, value]));
