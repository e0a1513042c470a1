import { Injectable } from '@nestjs/common';
import {
  Actor,
  ImportedGroupPlan,
  ImportedGroupsService,
  ImportedRolesService,
  NamedRolesResult,
  NamedRolesService,
  Role,
  RolesWanted,
} from '../rbac';
import { Candidate } from './candidate';
import { ImportedOrganizationMembersService, OrganizationJoining } from './imported-organization-members.service';
import { ImportedOrganizationPlan } from './imported-organization-plan';

/** A user of an import, who joins roles, groups and organizations. */
export interface Joining {
  readonly userId: string;
  readonly candidate: Pick<Candidate, 'roles' | 'groups' | 'organizations'>;
}

/** The ids of the users who did not get all of their roles, groups or organizations. */
export interface LeftOut {
  readonly ofRoles: ReadonlySet<string>;
  readonly ofGroups: ReadonlySet<string>;
  readonly ofOrganizations: ReadonlySet<string>;
}

/** One serves a whole dry run, which writes nothing that a later batch could find. */
export interface MembershipPlans {
  readonly groups: ImportedGroupPlan;
  readonly organizations: ImportedOrganizationPlan;
}

const rolesOf = (joining: readonly Joining[]): { userId: string; roleName: string }[] =>
  joining.flatMap(({ userId, candidate }) => candidate.roles.map((roleName) => ({ userId, roleName })));

const groupsOf = (joining: readonly Joining[]): { userId: string; path: readonly string[] }[] =>
  joining.flatMap(({ userId, candidate }) => candidate.groups.map((path) => ({ userId, path })));

const organizationsOf = (joining: readonly Joining[]): OrganizationJoining[] =>
  joining.flatMap(({ userId, candidate }) => candidate.organizations.map((organization) => ({ userId, organization })));

/** A new account of an import. */
export interface Arriving extends Pick<Joining, 'userId'> {
  readonly username: string;
  readonly candidate: Pick<Candidate, 'roles'>;
}

const wantedOf = (made: readonly Arriving[]): RolesWanted[] =>
  made.map(({ userId, username, candidate: { roles } }) => ({ user: { id: userId, username }, roles }));

const idsOf = (memberships: readonly { readonly userId: string }[]): ReadonlySet<string> =>
  new Set(memberships.map(({ userId }) => userId));

/** Adds imported users to the roles, groups and organizations that their lines name. */
@Injectable()
export class ImportedMembershipsService {
  constructor(
    private readonly roles: ImportedRolesService,
    private readonly named: NamedRolesService,
    private readonly groups: ImportedGroupsService,
    private readonly organizations: ImportedOrganizationMembersService,
  ) {}

  newPlans(): MembershipPlans {
    return { groups: this.groups.newPlan(), organizations: this.organizations.newPlan() };
  }

  /** Runs in the caller's transaction. Roles belong to the scope. The source has the name of the scope. */
  async join(scope: string, joining: readonly Joining[]): Promise<LeftOut> {
    const [roles, groups, organizations] = [rolesOf(joining), groupsOf(joining), organizationsOf(joining)];
    return {
      ofRoles: idsOf(roles.length === 0 ? [] : await this.roles.join(scope, roles)),
      ofGroups: idsOf(groups.length === 0 ? [] : await this.groups.join(groups)),
      ofOrganizations: idsOf(organizations.length === 0 ? [] : await this.organizations.join(scope, organizations)),
    };
  }

  /**
   * Gives new accounts the roles of this service that their lines name, as far as the actor may. Runs in the caller's
   * transaction.
   * @param held the role that all of them have
   */
  giveNamed(by: Actor, made: readonly Arriving[], held: Role): Promise<NamedRolesResult> {
    return this.named.give(by, wantedOf(made), held);
  }

  /** What `giveNamed` would return. Runs in the caller's transaction, and gives nothing. */
  rehearseNamed(by: Actor, made: readonly Arriving[], held: Role): Promise<NamedRolesResult> {
    return this.named.rehearse(by, wantedOf(made), held);
  }

  /** The result that `join` would have. Writes nothing. */
  async rehearse(scope: string, joining: readonly Joining[], plans: MembershipPlans): Promise<LeftOut> {
    const roles = rolesOf(joining);
    const closed = await this.roles.closedAmong(
      scope,
      roles.map(({ roleName }) => roleName),
    );
    return {
      ofRoles: idsOf(roles.filter(({ roleName }) => closed.has(roleName))),
      ofGroups: idsOf(await this.groups.rehearse(plans.groups, groupsOf(joining))),
      ofOrganizations: idsOf(await this.organizations.rehearse(scope, plans.organizations, organizationsOf(joining))),
    };
  }
}
