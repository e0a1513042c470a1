import { Injectable, OnModuleInit } from '@nestjs/common';
import { AuditService } from '../../audit';
import { Environment, EnvironmentError } from '../../platform/config';
import { StartupTasks, Transactions } from '../../platform/database';
import { GrantRepository } from '../grants/grant.repository';
import { RoleRepository } from '../grants/role.repository';
import { auditedRole, targetOf } from '../grants/role.views';
import { SystemRole, systemRoles } from '../grants/system-roles';
import { roleActs } from '../grants/role.acts';

/** Syncs the system roles at every start. */
@Injectable()
export class SystemRolesService implements OnModuleInit {
  constructor(
    private readonly environment: Environment,
    private readonly transactions: Transactions,
    private readonly roles: RoleRepository,
    private readonly grants: GrantRepository,
    private readonly audit: AuditService,
    private readonly startup: StartupTasks,
  ) {}

  onModuleInit(): void {
    this.startup.add({ name: 'system roles', stage: 'roles', run: () => this.sync() });
  }

  private async sync(): Promise<void> {
    const { serviceScope } = this.environment;
    await this.transactions.run(async () => {
      for (const role of systemRoles(serviceScope)) await this.syncRole(serviceScope, role);
    });
  }

  /** Writes the difference between the role in the code and in the database. Throws `EnvironmentError`. */
  private async syncRole(scope: string, wanted: SystemRole): Promise<void> {
    await this.roles.insertSystemRole(scope, wanted);
    const role = await this.roles.findByName(scope, wanted.name);
    if (!role) throw new Error(`System role ${wanted.name} is missing right after its insertion`);
    if (!role.isSystem) throw foreignRole(scope, wanted.name);
    const before = await this.grants.ofRoles([role.id]);
    if (!(await this.grants.replaceOfRole(role.id, wanted.grants))) return;
    await this.audit.record(roleActs.sync, {
      target: targetOf(role),
      before: auditedRole({ role, grants: before }),
      after: auditedRole({ role, grants: await this.grants.ofRoles([role.id]) }),
    });
  }
}

/** A user may have created this role and joined it. Taking it over would give them the system role's grants. */
function foreignRole(scope: string, name: string): EnvironmentError {
  return new EnvironmentError([
    {
      variable: 'SERVICE_SCOPE',
      problem: `is "${scope}": that scope has a role "${name}" that is not a system role`,
      allowed: 'another scope, or this one after that role is deleted',
    },
  ]);
}
