import { Injectable } from '@nestjs/common';
import { platformErrors } from '../platform/errors';
import { fallbackLanguage, Language } from '../platform/i18n';
import { isId } from '../platform/util';
import {
  AssignedRole,
  CataloguePermission,
  CatalogueService,
  CheckedPermission,
  PermissionChecksService,
  PermissionInputsService,
  PermissionLevel,
  PermissionsService,
  rolePermissions,
  RoleViewsService,
  StoredGrants,
  UserGrantsService,
  userPermissions,
  UserRolesService,
} from '../rbac';
import { ActOptions, HostActsService } from './host-acts.service';
import { knownId } from './known-id';

export interface GrantedPermission {
  /** `resource:action` of the service's scope, or `scope:resource:action`. `*` means all. */
  readonly permission: string;
  /** 1 to 7. Default 7. */
  readonly level?: PermissionLevel;
}

export interface PermissionCheckOptions {
  /** Counts if it is higher than the level that the action needs. */
  readonly level?: PermissionLevel;
  /**
   * Counts what the user holds as a member of this organization, too. An unknown one, and one of others, adds nothing.
   */
  readonly organizationId?: string;
}

type CheckOptions = PermissionLevel | PermissionCheckOptions;

/** A text that is no id names no organization. */
const organizationOf = ({ organizationId }: PermissionCheckOptions): Pick<PermissionCheckOptions, 'organizationId'> =>
  isId(organizationId) ? { organizationId } : {};

const optionsOf = (given: CheckOptions): PermissionCheckOptions =>
  typeof given === 'number' ? { level: given } : given;

/** As for the routes that change the rights of a user. */
const NEEDED = [userPermissions.administer, rolePermissions.update];

/** What users may do, for the code of the application. A change is in force everywhere within a second. */
@Injectable()
export class PermissionsApi {
  constructor(
    private readonly permissions: PermissionsService,
    private readonly checks: PermissionChecksService,
    private readonly inputs: PermissionInputsService,
    private readonly grants: UserGrantsService,
    private readonly roles: UserRolesService,
    private readonly names: RoleViewsService,
    private readonly entries: CatalogueService,
    private readonly acts: HostActsService,
  ) {}

  /**
   * Whether the user holds the permission, at the level or above it. Unknown users hold nothing, and disabled ones are
   * allowed nothing. Throws `validation_failed` for a text that is no permission.
   *
   * @param options the level, or level and organization
   */
  async can(userId: string, permission: string, options: CheckOptions = {}): Promise<boolean> {
    const given = optionsOf(options);
    const check = this.checkOf(permission, given.level);
    const { organizationId } = organizationOf(given);
    return isId(userId) && (await this.permissions.allows(userId, check, organizationId));
  }

  /** Throws `permission_denied` (403) unless the user holds the permission, as `can` checks it. */
  async require(userId: string, permission: string, options: CheckOptions = {}): Promise<void> {
    if (await this.can(userId, permission, options)) return;
    const { scope } = this.checkOf(permission);
    throw platformErrors.permissionDenied({ params: { permission, scope } });
  }

  /**
   * The answer for each permission with the grant that gives it, or the smallest one that would. Throws
   * `validation_failed`, or `not_found` for a text that is no id.
   */
  async explain(
    id: string,
    permissions: readonly string[],
    options: Pick<PermissionCheckOptions, 'organizationId'> = {},
  ): Promise<CheckedPermission[]> {
    const userId = knownId(id);
    const within = organizationOf(options);
    return this.checks.evaluate(
      permissions.map((permission) => ({ userId, check: this.checkOf(permission), ...within })),
    );
  }

  /** What the user holds, directly and from roles. Throws `not_found`. */
  async held(userId: string): Promise<StoredGrants> {
    return this.grants.show(knownId(userId));
  }

  /** Grants permissions to the user directly. Throws `validation_failed`, `not_found` or `escalation_denied`. */
  grant(userId: string, permissions: readonly GrantedPermission[], options: ActOptions = {}): Promise<StoredGrants> {
    const add = permissions.map(({ permission, level }) => ({
      permission_id: permission,
      ...(level !== undefined && { level }),
    }));
    return this.acts.run(options, NEEDED, (actor) => this.grants.change(actor, knownId(userId), { add }));
  }

  /** Removes direct grants; one that the user does not hold is ignored. Throws as `grant`. */
  revoke(userId: string, permissions: readonly string[], options: ActOptions = {}): Promise<StoredGrants> {
    return this.acts.run(options, NEEDED, (actor) =>
      this.grants.change(actor, knownId(userId), { remove: [...permissions] }),
    );
  }

  /**
   * @param role a name in the service's scope, `scope:name`, or an id
   * Returns the roles of the user. Throws `not_found` or `escalation_denied`.
   */
  async giveRole(userId: string, role: string, options: ActOptions = {}): Promise<AssignedRole[]> {
    const { id } = await this.names.resolve(role);
    return this.acts.run(options, NEEDED, (actor) => this.roles.give(actor, knownId(userId), [id]));
  }

  /** Throws `not_found` (also when the user does not have the role), `last_admin` or `escalation_denied`. */
  async takeRole(userId: string, role: string, options: ActOptions = {}): Promise<void> {
    const { id } = await this.names.resolve(role);
    return this.acts.run(options, NEEDED, (actor) => this.roles.take(actor, knownId(userId), id));
  }

  /** All permissions that can be granted, sorted by scope, then permission. */
  catalogue(language: Language = fallbackLanguage): Promise<CataloguePermission[]> {
    return this.entries.list(language);
  }

  private checkOf(permission: string, level?: PermissionLevel) {
    return this.inputs.check({ permission_id: permission, ...(level !== undefined && { level }) });
  }
}
