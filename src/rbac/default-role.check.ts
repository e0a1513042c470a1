import { Injectable } from '@nestjs/common';
import { Environment } from '../platform/config';
import { ProposedSettings, SettingCheck, SettingChecks, SettingObjection } from '../platform/settings';
import { Authority } from './authority.service';
import { GrantRepository } from './grant.repository';
import { defaultRole } from './rbac.settings';
import { RoleRepository } from './role.repository';
import { ADMIN_ROLE } from './system-roles';

/** Naming the role that everybody new gets is handing out what it gives. */
@Injectable()
export class DefaultRoleCheck extends SettingCheck {
  readonly watches = [defaultRole];

  constructor(
    checks: SettingChecks,
    private readonly environment: Environment,
    private readonly roles: RoleRepository,
    private readonly grants: GrantRepository,
    private readonly authority: Authority,
  ) {
    super();
    checks.add(this);
  }

  override prepare(): Promise<void> {
    return this.authority.stand();
  }

  async check(proposed: ProposedSettings): Promise<readonly SettingObjection[]> {
    if (!proposed.isChanged(defaultRole)) return [];
    const name = proposed.get(defaultRole);
    const role = await this.roles.findByName(this.environment.serviceScope, name);
    if (!role || role.name === ADMIN_ROLE) return [{ setting: defaultRole, code: 'default_role' }];
    const isCovered = await this.isCovered(role.id, proposed.changedBy);
    return isCovered ? [] : [{ setting: defaultRole, code: 'escalation_denied' }];
  }

  private async isCovered(roleId: string, changedBy: string | null): Promise<boolean> {
    if (changedBy === null) return true;
    const target = { type: 'setting', id: defaultRole.key };
    return this.authority.covers({ userId: changedBy }, await this.grants.ofRoles([roleId]), target);
  }
}
