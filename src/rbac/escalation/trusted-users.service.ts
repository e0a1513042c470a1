import { Injectable } from '@nestjs/common';
import { Environment } from '../../platform/config';
import { ApplicationTrust, TrustedName, UserNames } from './application-trust';
import { GroupRepository } from '../grants/group.repository';
import { GrantRepository } from '../grants/grant.repository';
import { Grant, GrantSet } from '../permission';
import { qualifiedName } from '../grants/qualified-name';
import { RoleGivingService } from './role-giving.service';
import { RoleRepository } from '../grants/role.repository';

/** No application trusts it. */
const NO_USER = '';

/** Two users: one who could take over the account of the other. */
export interface Takeover {
  readonly actorId: string;
  readonly userId: string;
}

/**
 * What applications give a user because they trust the names of the user, of roles without grants and of groups. No cover
 * protects it, so who becomes the user needs what giving such a role needs.
 */
@Injectable()
export class TrustedUsersService {
  constructor(
    private readonly environment: Environment,
    private readonly roles: RoleRepository,
    private readonly groups: GroupRepository,
    private readonly giving: RoleGivingService,
    private readonly grants: GrantRepository,
    private readonly applications: ApplicationTrust,
  ) {}

  /** What the actor needs everywhere if `isBeyond`. Ask it first, because most administrators hold it. */
  get needed(): Grant {
    return this.giving.ofNames;
  }

  /** Whether an application trusts the user by a name that the actor does not have, too. */
  async isBeyond({ actorId, userId }: Takeover): Promise<boolean> {
    if (actorId === userId) return false;
    const [held, own] = [await this.namesOf(userId), await this.namesOf(actorId)];
    const beyond = without(held.roles, own.roles);
    const baseline = await this.giving.baselineRoles(beyond.map(({ id }) => id));
    const roles = beyond.filter(({ id }) => baseline.has(id));
    return this.isTrusted({
      userId,
      roles,
      groups: without(held.groups, own.groups),
      isNamedInOrganization: roles.some(({ heldIn }) => heldIn !== null),
    });
  }

  /** Whether an application trusts one of the groups, so that its members hold more than the roles of the group. */
  trustsGroups(groups: readonly TrustedName[]): Promise<boolean> {
    return this.isTrusted({ userId: NO_USER, roles: [], groups, isNamedInOrganization: false });
  }

  /** Clients of users count only if the owner could give such a role: otherwise any user could protect an account by registering a client. */
  private async isTrusted(names: UserNames): Promise<boolean> {
    const owners = await this.applications.ownersOfTrusting(names);
    if (owners.includes(null)) return true;
    const held = await this.grants.withSourcesByUser(owners.filter((owner) => owner !== null));
    return [...held.values()].some((grants) => new GrantSet(grants).missing([this.needed]).length === 0);
  }

  private async namesOf(userId: string): Promise<{ roles: HeldName[]; groups: TrustedName[] }> {
    const [roles, groups] = [await this.roles.heldAnywhereBy(userId), await this.groups.ofUserAnywhere(userId)];
    const { serviceScope } = this.environment;
    return {
      roles: roles.map(({ id, scope, name, heldIn }) => ({
        id,
        name: qualifiedName(scope, name, serviceScope),
        heldIn,
      })),
      groups,
    };
  }
}

interface HeldName extends TrustedName {
  /** The organization in which the role is held; null: everywhere. */
  readonly heldIn: string | null;
}

const placeOf = ({ id, heldIn = null }: Partial<HeldName>): string => `${id} ${heldIn}`;

function without<T extends TrustedName>(names: readonly T[], own: readonly T[]): T[] {
  const held = new Set(own.map(placeOf));
  return names.filter((name) => !held.has(placeOf(name)));
}
