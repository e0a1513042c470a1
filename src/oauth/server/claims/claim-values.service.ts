import { Injectable } from '@nestjs/common';
import { EffectiveClaimsService } from '../../../rbac';
import { UserCache, UserView } from '../../../users';
import { AttributeValue, UserAttributesService, valueOf } from '../../../users/attributes';
import {
  ClaimAttribute,
  ClaimMapping,
  ClaimPlace,
  definedAttributeOf,
  isReservedClaim,
  WHOLE_FILTER,
} from '../clients/client-claims';
import { OAuthClient } from '../clients/client.entity';

/** Lists are of texts. */
export type ClaimValue = AttributeValue;

/** A claim for one user, with the mapping that it comes from. */
export interface ResolvedClaim {
  readonly mapping: ClaimMapping;
  readonly value: ClaimValue;
}

const attributes: Readonly<Record<ClaimAttribute, (user: UserView) => string | null>> = {
  username: ({ username }) => username,
  nickname: ({ nickname }) => nickname,
  // An application would take a contact for proved, because the claim cannot say otherwise.
  email: ({ email, emailVerified }) => (emailVerified ? email : null),
  phone: ({ phone, phoneVerified }) => (phoneVerified ? phone : null),
  locale: ({ locale }) => locale,
};

/** Resolves the claims of a client's mappings, from caches that are at most a second old. */
@Injectable()
export class ClaimValuesService {
  constructor(
    private readonly users: UserCache,
    private readonly held: EffectiveClaimsService,
    private readonly defined: UserAttributesService,
  ) {}

  /** In the order of the mappings. A claim from an attribute that the user does not have is left out. */
  async resolve({ claims }: OAuthClient, userId: string, place: ClaimPlace): Promise<ResolvedClaim[]> {
    // A name may have become reserved since the mapping was stored.
    const wanted = claims.filter(({ name, in: places }) => places.includes(place) && !isReservedClaim(name));
    const resolved = await Promise.all(
      wanted.map(async (mapping) => ({ mapping, value: await this.valueOf(mapping, userId) })),
    );
    return resolved.flatMap(({ mapping, value }) => (value === undefined ? [] : [{ mapping, value }]));
  }

  private async valueOf(mapping: ClaimMapping, userId: string): Promise<ClaimValue | undefined> {
    const { from, filter, value = '' } = mapping;
    switch (from) {
      case 'roles':
        return filtered(await this.held.roles(userId), filter);
      case 'groups':
        return filtered(await this.held.groups(userId), filter);
      case 'permissions':
        return filtered(await this.held.permissions(userId), filter);
      case 'attribute':
        return this.attributeOf(userId, mapping);
      case 'constant':
        return value;
    }
  }

  private async attributeOf(userId: string, mapping: ClaimMapping): Promise<ClaimValue | undefined> {
    const user = await this.users.get(userId);
    if (!user) return undefined;
    const name = definedAttributeOf(mapping);
    if (name === undefined) return attributes[mapping.value as ClaimAttribute](user) || undefined;
    return valueOf(await this.defined.shown(user.attributes, 'administrator'), name);
  }
}

const filtered = (names: readonly string[], filter = WHOLE_FILTER): string[] =>
  names.filter((name) => filter === WHOLE_FILTER || name.startsWith(filter));
