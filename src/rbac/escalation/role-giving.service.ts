import { Injectable } from '@nestjs/common';
import { AuditTarget } from '../../audit';
import { Environment } from '../../platform/config';
import { SettingsService } from '../../settings';
import { GrantRepository } from '../grants/grant.repository';
import { Grant, grantOfPermission, GrantSet } from '../permission';
import { Actor, actorWithin, PrivilegeEscalationGuardService, RoleBeyond } from './privilege-escalation-guard.service';
import { rolePermissions } from '../grants/rbac.permissions';
import { defaultRole } from '../grants/rbac.settings';
import { Role } from '../grants/role.entity';
import { RoleRepository } from '../grants/role.repository';

/** What a user must hold to give a role. */
export interface RoleNeeds {
  /** What the role grants, held everywhere or in the organization where it is given. */
  readonly granted: readonly Grant[];
  /** What must be held everywhere, besides. */
  readonly everywhere: readonly Grant[];
}

export interface GivenRoles {
  readonly roleIds: readonly string[];
  /** Where the roles are given; null: everywhere. */
  readonly organizationId: string | null;
  /** Those that the same users have there already, and keep or lose. What they grant counts, but they are not given. */
  readonly present?: readonly string[];
}

/**
 * Decides who may give roles, for every way to give them. A giver needs what the roles grant. Applications trust names of
 * roles, too, which no cover protects: everybody holds what a role without grants grants. So a role of the service that
 * grants nothing beyond the default role, and is another one, also needs `role:update` everywhere.
 */
@Injectable()
export class RoleGivingService {
  constructor(
    private readonly environment: Environment,
    private readonly settings: SettingsService,
    private readonly roles: RoleRepository,
    private readonly grants: GrantRepository,
    private readonly escalationGuard: PrivilegeEscalationGuardService,
  ) {}

  /** What must be held everywhere for names that applications trust. */
  get ofNames(): Grant {
    return grantOfPermission(rolePermissions.update, this.environment.serviceScope);
  }

  /** Serializes changes of grants until the transaction ends. */
  lock(): Promise<void> {
    return this.escalationGuard.lock();
  }

  /** Call in the transaction of the change, before its first write. Throws `escalation_denied`. */
  async require(
    actor: Actor,
    { roleIds, organizationId, present = [] }: GivenRoles,
    target?: AuditTarget,
  ): Promise<void> {
    await this.escalationGuard.lock();
    if (roleIds.length === 0 && present.length === 0) return;
    const needs = await this.needs([...new Set([...roleIds, ...present])]);
    const granted = [...needs.values()].flatMap((role) => role.granted);
    await this.escalationGuard.requireCover(actorWithin(actor, organizationId), granted, target);
    const given = new Set(roleIds);
    for (const id of present) given.delete(id);
    const everywhere = [...given].flatMap((id) => needs.get(id)?.everywhere ?? []);
    await this.escalationGuard.requireCover(actorWithin(actor, null), everywhere.slice(0, 1), target);
  }

  /** Those of the roles that the actor may not give everywhere, for a change that is made without them. Audits nothing. */
  async beyond(actor: Actor, roles: readonly Pick<Role, 'id' | 'name'>[]): Promise<readonly RoleBeyond[]> {
    const needs = await this.needs(roles.map(({ id }) => id));
    const needed = ({ granted, everywhere }: RoleNeeds): Grant[] => [...granted, ...everywhere];
    return this.escalationGuard.beyond(
      actor,
      roles.map((role) => ({ role, needed: needed(needs.get(role.id) ?? NOTHING) })),
    );
  }

  /** By the id of each of the roles. */
  async needs(roleIds: readonly string[]): Promise<ReadonlyMap<string, RoleNeeds>> {
    const granted = await this.grants.byRole(roleIds);
    const ofService = roleIds.length === 0 ? [] : await this.roles.findWithin(null, roleIds);
    const baseline = await this.baselineAmong(
      ofService.map(({ id }) => id),
      granted,
    );
    return new Map(
      roleIds.map((id) => [id, { granted: granted.get(id) ?? [], everywhere: baseline.has(id) ? [this.ofNames] : [] }]),
    );
  }

  /** Those of the roles, also of organizations, that grant nothing beyond the default role. */
  async baselineRoles(roleIds: readonly string[]): Promise<ReadonlySet<string>> {
    return this.baselineAmong(roleIds, await this.grants.byRole(roleIds));
  }

  private async baselineAmong(
    roleIds: readonly string[],
    granted: ReadonlyMap<string, readonly Grant[]>,
  ): Promise<ReadonlySet<string>> {
    if (roleIds.length === 0) return new Set();
    const name = await this.settings.get(defaultRole);
    const newUsers = await this.roles.findByName(this.environment.serviceScope, name);
    const everyones = new GrantSet(newUsers ? await this.grants.ofRoles([newUsers.id]) : []);
    return new Set(
      roleIds.filter((id) => id !== newUsers?.id && everyones.missing(granted.get(id) ?? []).length === 0),
    );
  }
}

const NOTHING: RoleNeeds = { granted: [], everywhere: [] };
