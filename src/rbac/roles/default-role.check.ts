import { Injectable, OnModuleInit } from '@nestjs/common';
import { Environment } from '../../platform/config';
import { SettingsDraft, SettingsValidator, SettingsValidators, SettingViolation } from '../../platform/settings';
import { PrivilegeEscalationGuardService } from '../escalation/privilege-escalation-guard.service';
import { defaultRole } from '../grants/rbac.settings';
import { RoleRepository } from '../grants/role.repository';
import { ADMIN_ROLE } from '../grants/system-roles';

/** Rejects a default role that does not exist or is the administrators' role. */
@Injectable()
export class DefaultRoleCheck extends SettingsValidator implements OnModuleInit {
  readonly watches = [defaultRole];

  constructor(
    private readonly checks: SettingsValidators,
    private readonly environment: Environment,
    private readonly roles: RoleRepository,
    private readonly escalationGuard: PrivilegeEscalationGuardService,
  ) {
    super();
  }

  onModuleInit(): void {
    this.checks.add(this);
  }

  override prepare(): Promise<void> {
    return this.escalationGuard.lock();
  }

  async check(proposed: SettingsDraft): Promise<readonly SettingViolation[]> {
    if (!proposed.isChanged(defaultRole)) return [];
    const name = proposed.get(defaultRole);
    const role = await this.roles.findByName(this.environment.serviceScope, name);
    if (!role || role.name === ADMIN_ROLE) return [{ setting: defaultRole, code: 'default_role' }];
    return [];
  }
}
