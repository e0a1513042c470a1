import { Injectable } from '@nestjs/common';
import { Environment } from '../../platform/config';
import { APPLICATION } from '../../platform/context';
import { ProblemError } from '../../platform/errors';
import { checkInput } from '../../platform/http/input';
import { presentMembers } from '../../platform/util';
import {
  AssignedRole,
  CreateRoleDto,
  formatPermissionCode,
  Grant,
  PermissionInputsService,
  RoleAdminService,
  RoleViewsService,
} from '../../rbac';
import type { GrantedPermission } from '../permissions.api';
import { DeclaredItem, naming } from './declared-item';
import { DeclaredRole } from './host-declarations';

const inputOf = (granted: string | GrantedPermission): object =>
  typeof granted === 'string'
    ? { permission_id: granted }
    : { permission_id: granted.permission, ...presentMembers({ level: granted.level }) };

const levelsOf = (grants: readonly Grant[]): object =>
  Object.fromEntries(grants.map((grant) => [formatPermissionCode(grant), grant.level]));

@Injectable()
export class DeclaredRolesService {
  constructor(
    private readonly environment: Environment,
    private readonly inputs: PermissionInputsService,
    private readonly views: RoleViewsService,
    private readonly roles: RoleAdminService,
  ) {}

  async item({
    name,
    scope,
    description = '',
    permissions = [],
    mfaRequired = false,
  }: DeclaredRole): Promise<DeclaredItem> {
    const what = `role "${name}"`;
    const body = { name, description, mfa_required: mfaRequired, permissions: permissions.map(inputOf) };
    const checked = await naming(what, () => checkInput(CreateRoleDto, { ...body, ...presentMembers({ scope }) }));
    const grants = await naming(what, () => this.inputs.grants('permissions', checked.permissions ?? []));
    const fullName = `${scope ?? this.environment.serviceScope}:${name}`;
    return {
      kind: 'role',
      name: fullName,
      content: { description, mfa_required: mfaRequired, permissions: levelsOf(grants) },
      read: async () => {
        const found = await this.find(fullName);
        if (found?.role.isSystem) throw new Error(`The declared role "${name}" is a system role: choose another name`);
        return found && contentOf(found);
      },
      write: () => naming(what, () => this.write(fullName, checked)),
    };
  }

  private async find(fullName: string): Promise<AssignedRole | undefined> {
    try {
      return (await this.views.held([await this.views.resolve(fullName)]))[0];
    } catch (error) {
      if (error instanceof ProblemError && error.code === 'not_found') return undefined;
      throw error;
    }
  }

  private async write(fullName: string, body: CreateRoleDto): Promise<void> {
    const present = await this.find(fullName);
    if (!present) {
      await this.roles.create(APPLICATION, body);
      return;
    }
    const { description, mfa_required, permissions } = body;
    await this.roles.change(APPLICATION, present.role.id, { description, mfa_required, permissions });
  }
}

const contentOf = ({ role, grants }: AssignedRole): object => ({
  description: role.description,
  mfa_required: role.mfaRequired,
  permissions: levelsOf(grants),
});
