import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/config';
import { HeldPermissionsService, permissionIdOf, UserRoleCache } from '../../../rbac';
import { UserCache, UserView } from '../../../users';
import { ClaimAttribute, ClaimMapping, ClaimPlace, WHOLE_FILTER } from '../clients/client-claims';
import { OAuthClient } from '../clients/client.entity';

export type ClaimValue = string | readonly string[];

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
    private readonly environment: Environment,
    private readonly users: UserCache,
    private readonly roles: UserRoleCache,
    private readonly permissions: HeldPermissionsService,
  ) {}

  /** In the order of the mappings. A claim from an attribute that the user does not have is left out. */
  async resolve({ claims }: OAuthClient, userId: string, place: ClaimPlace): Promise<ResolvedClaim[]> {
    const wanted = claims.filter(({ in: places }) => places.includes(place));
    const resolved = await Promise.all(
      wanted.map(async (mapping) => ({ mapping, value: await this.valueOf(mapping, userId) })),
    );
    return resolved.flatMap(({ mapping, value }) => (value === undefined ? [] : [{ mapping, value }]));
  }

  private async valueOf({ from, filter, value = '' }: ClaimMapping, userId: string): Promise<ClaimValue | undefined> {
    switch (from) {
      case 'roles':
        return filtered(await this.roleNames(userId), filter);
      case 'permissions':
        return filtered(await this.permissionCodes(userId), filter);
      case 'attribute':
        return this.attributeOf(userId, value as ClaimAttribute);
      case 'constant':
        return value;
      case 'groups':
        return undefined;
    }
  }

  private async roleNames(userId: string): Promise<string[]> {
    return (await this.roles.get(userId)).map(({ scope, name }) => this.qualified(scope, name));
  }

  private async permissionCodes(userId: string): Promise<string[]> {
    return (await this.permissions.codesOf(userId)).map((code) => this.qualified(code.scope, permissionIdOf(code)));
  }

  /**
   * Names of other scopes begin with their scope, so that the `admin` of two scopes never becomes one. The colon cannot
   * occur in a role's name.
   */
  private qualified(scope: string, name: string): string {
    return scope === this.environment.serviceScope ? name : `${scope}:${name}`;
  }

  private async attributeOf(userId: string, name: ClaimAttribute): Promise<string | undefined> {
    const user = await this.users.get(userId);
    return (user && attributes[name](user)) || undefined;
  }
}

const filtered = (names: readonly string[], filter = WHOLE_FILTER): string[] =>
  names.filter((name) => filter === WHOLE_FILTER || name.startsWith(filter));
