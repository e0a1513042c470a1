import { Injectable } from '@nestjs/common';
import { Environment } from '../../platform/config';
import { ApplicationTrust, TrustedName } from './application-trust';
import { GroupRepository } from '../grants/group.repository';
import { Grant } from '../permission';
import { qualifiedName } from '../grants/qualified-name';
import { RoleGivingService } from './role-giving.service';
import { RoleRepository } from '../grants/role.repository';

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
    const roles = without(held.roles, own.roles);
    const needs = await this.giving.needs(roles.map(({ id }) => id));
    return this.applications.trusts({
      userId,
      roles: roles.filter(({ id }) => needs.get(id)?.everywhere.length),
      groups: without(held.groups, own.groups),
    });
  }

  private async namesOf(userId: string): Promise<Record<'roles' | 'groups', TrustedName[]>> {
    const [roles, groups] = [await this.roles.heldBy(userId), await this.groups.ofUser(userId)];
    const { serviceScope } = this.environment;
    return {
      roles: roles.map(({ id, scope, name }) => ({ id, name: qualifiedName(scope, name, serviceScope) })),
      groups,
    };
  }
}

function without(names: readonly TrustedName[], own: readonly TrustedName[]): TrustedName[] {
  const ids = new Set(own.map(({ id }) => id));
  return names.filter(({ id }) => !ids.has(id));
}
