import { Injectable } from '@nestjs/common';
import { ImportedGroupPlan, ImportedGroupsService, ImportedRolesService } from '../rbac';
import { Candidate } from './candidate';

/** A user of an import, who joins roles and groups. */
export interface Joining {
  readonly userId: string;
  readonly candidate: Pick<Candidate, 'roles' | 'groups'>;
}

/** The ids of the users who did not get all of their roles or groups. */
export interface LeftOut {
  readonly ofRoles: ReadonlySet<string>;
  readonly ofGroups: ReadonlySet<string>;
}

const rolesOf = (joining: readonly Joining[]): { userId: string; roleName: string }[] =>
  joining.flatMap(({ userId, candidate }) => candidate.roles.map((roleName) => ({ userId, roleName })));

const groupsOf = (joining: readonly Joining[]): { userId: string; path: readonly string[] }[] =>
  joining.flatMap(({ userId, candidate }) => candidate.groups.map((path) => ({ userId, path })));

const idsOf = (memberships: readonly { readonly userId: string }[]): ReadonlySet<string> =>
  new Set(memberships.map(({ userId }) => userId));

/** Adds imported users to the roles and groups that their lines name. */
@Injectable()
export class ImportedMembershipsService {
  constructor(
    private readonly roles: ImportedRolesService,
    private readonly groups: ImportedGroupsService,
  ) {}

  newGroupPlan(): ImportedGroupPlan {
    return this.groups.newPlan();
  }

  /** Runs in the caller's transaction. Roles belong to the scope. */
  async join(scope: string, joining: readonly Joining[]): Promise<LeftOut> {
    const [roles, groups] = [rolesOf(joining), groupsOf(joining)];
    return {
      ofRoles: idsOf(roles.length === 0 ? [] : await this.roles.join(scope, roles)),
      ofGroups: idsOf(groups.length === 0 ? [] : await this.groups.join(groups)),
    };
  }

  /** The result that `join` would have. Writes nothing. */
  async rehearse(scope: string, joining: readonly Joining[], plan: ImportedGroupPlan): Promise<LeftOut> {
    const roles = rolesOf(joining);
    const closed = await this.roles.closedAmong(
      scope,
      roles.map(({ roleName }) => roleName),
    );
    return {
      ofRoles: idsOf(roles.filter(({ roleName }) => closed.has(roleName))),
      ofGroups: idsOf(await this.groups.rehearse(plan, groupsOf(joining))),
    };
  }
}
