import { Injectable } from '@nestjs/common';
import { Environment } from '../../platform/config';
import { Caller } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { isId } from '../../platform/util';
import { listByPage, PageAnswer, pageOf } from '../../platform/lists';
import { ListRolesDto } from './dto/role.dto';
import { GrantRepository } from '../grants/grant.repository';
import { PlaceAccessService } from '../escalation/place-access.service';
import { rolePermissions } from '../grants/rbac.permissions';
import { RoleAccessService } from '../escalation/role-access.service';
import { RoleHoldersService } from './role-holders.service';
import { Role } from '../grants/role.entity';
import { RoleOfUser, RoleRepository } from '../grants/role.repository';
import { AssignedRole, RoleView } from '../grants/role.views';

/** Finds roles, and combines them with their grants and member counts. */
@Injectable()
export class RoleViewsService {
  constructor(
    private readonly environment: Environment,
    private readonly roles: RoleRepository,
    private readonly grants: GrantRepository,
    private readonly access: RoleAccessService,
    private readonly places: PlaceAccessService,
    private readonly holders: RoleHoldersService,
  ) {}

  /** Sorted by scope, then name. Throws the errors of `PlaceAccessService.requireAll`. */
  async list(caller: Caller, query: ListRolesDto): Promise<PageAnswer<RoleView>> {
    const { scope, keyword, organization_id: organizationId = null } = query;
    await this.places.requireAll(caller, rolePermissions.read, organizationId);
    const page = pageOf(query);
    const filter = { scope, keyword, organizationId };
    const [roles, total] = [await this.roles.list(filter, page), await this.roles.count(filter)];
    return listByPage(page, await this.counted(roles), total);
  }

  /** Throws `not_found`. */
  async show(caller: Caller, id: string): Promise<RoleView> {
    return this.one(await this.access.find(caller, rolePermissions.read, id));
  }

  /** Any role, for callers who have been checked. Throws `not_found`. */
  async find(id: string): Promise<RoleView> {
    const role = await this.roles.findById(id);
    if (!role) throw platformErrors.notFound();
    return this.one(role);
  }

  /** @param text an id, a name in this service's scope, or `scope:name`, of a role of the service. Throws `not_found`. */
  async resolve(text: string): Promise<Role> {
    const [name = '', scope = this.environment.serviceScope, ...more] = text.split(':').reverse();
    const isName = more.length === 0;
    const role = isId(text) ? await this.roles.findById(text) : isName && (await this.roles.findByName(scope, name));
    if (!role || role.organizationId !== null) throw platformErrors.notFound();
    return role;
  }

  async held(roles: readonly Role[]): Promise<AssignedRole[]> {
    const grants = await this.grants.byRole(roles.map(({ id }) => id));
    return roles.map((role) => ({ role, grants: grants.get(role.id) ?? [] }));
  }

  /** Without roles of groups, by scope, then name. A limit of null is none. No entry for a user without roles. */
  async ofUsers(userIds: readonly string[], limit: number | null): Promise<ReadonlyMap<string, RoleOfUser[]>> {
    const byUser = new Map<string, RoleOfUser[]>();
    for (const role of await this.roles.ofUsers(userIds, limit)) {
      byUser.set(role.userId, [...(byUser.get(role.userId) ?? []), role]);
    }
    return byUser;
  }

  async one(role: Role): Promise<RoleView> {
    const grants = await this.grants.ofRoles([role.id]);
    const counts = await this.holders.counts([role]);
    return { role, grants, userCount: counts.get(role.id) ?? 0 };
  }

  private async counted(roles: readonly Role[]): Promise<RoleView[]> {
    const held = await this.held(roles);
    const counts = await this.holders.counts(roles);
    return held.map((view) => ({ ...view, userCount: counts.get(view.role.id) ?? 0 }));
  }
}
