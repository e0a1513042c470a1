import { Injectable } from '@nestjs/common';
import { Environment } from '../platform/config';
import { isId } from '../platform/util';
import { nameOfOwnRole, qualifiedName, roleNameOf, OrganizationUser, isSlug } from '../rbac';
import { OrganizationNamesRepository, MembershipWithRoles } from './organization-names.repository';

/** A membership by the names that other systems see. */
export interface NamedMembership {
  readonly slug: string;
  /** Names of the roles that the member holds there, also through groups of the organization. */
  readonly roles: readonly string[];
}

/** Organizations by the names that other systems see. Reads the database, and checks no authority. */
@Injectable()
export class OrganizationNamesService {
  constructor(
    private readonly environment: Environment,
    private readonly names: OrganizationNamesRepository,
  ) {}

  /** @param text a slug or an id; any other text names none. An id is returned also if there is no such organization. */
  async idOf(text: string): Promise<string | undefined> {
    if (isId(text)) return text;
    return isSlug(text) ? this.names.idOfSlug(text) : undefined;
  }

  slugOf(id: string): Promise<string | undefined> {
    return this.names.slugOf(id);
  }

  /** The organization of the user if there is exactly one, and whether there are several. */
  async onlyOneOf(userId: string): Promise<{ readonly id: string | undefined; readonly areSeveral: boolean }> {
    const [id, other] = await this.names.idsOfUser(userId, 2);
    return other === undefined ? { id, areSeveral: false } : { id: undefined, areSeveral: true };
  }

  /** Up to `limit` organizations of the user, with pending memberships, by slug. */
  membershipsOf(userId: string, limit: number): Promise<MembershipWithRoles[]> {
    return this.names.membershipsOf(userId, limit);
  }

  /** Undefined for others than members. */
  async membershipOf(member: OrganizationUser): Promise<NamedMembership | undefined> {
    const rows = await this.names.membership(member);
    const { serviceScope } = this.environment;
    const roles = rows.flatMap(({ scope, role, isOwn }) => {
      if (scope === null || role === null) return [];
      const name = qualifiedName(scope, roleNameOf(role), serviceScope);
      return isOwn ? nameOfOwnRole(name) : name;
    });
    return rows[0] && { slug: rows[0].slug, roles };
  }
}
