import { Injectable, OnModuleInit } from '@nestjs/common';
import { StartupTasks } from '../../platform/database';
import { Log } from '../../platform/logging';
import { RoleRepository } from '../grants/role.repository';
import { RESERVED_NAMES } from '../grants/system-roles';

/** Roles named in one warning. */
const MAX_NAMED = 20;

/** Warns at start of custom roles that have a reserved name, because they were created before it was reserved. */
@Injectable()
export class ReservedRoleNamesService implements OnModuleInit {
  constructor(
    private readonly roles: RoleRepository,
    private readonly startup: StartupTasks,
    private readonly log: Log,
  ) {}

  onModuleInit(): void {
    this.startup.add({ name: 'reserved role names', stage: 'roles', run: () => this.check() });
  }

  private async check(): Promise<void> {
    const found = await this.roles.findCustom([...RESERVED_NAMES], MAX_NAMED);
    if (found.length === 0) return;
    this.log.warn('Custom roles have the name of a system role: rename them, so that people do not confuse them', {
      roles: found.map(({ scope, name }) => `${scope}:${name}`).join(', '),
    });
  }
}
