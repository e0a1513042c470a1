import { Injectable } from '@nestjs/common';
import { Caller } from '../platform/context';
import { SecretBox } from '../platform/crypto';
import { CursorAnswer, CursorQueryDto, CursorsService, Position } from '../platform/lists';
import { PermissionsService, RoleGivingService, Role, RoleName, RoleRepository } from '../rbac';
import { OrganizationViewsService } from './organization-views.service';

/** The roles that an administrator may hand out in an organization, which need not be allowed to see all roles. */
@Injectable()
export class AssignableRolesService {
  constructor(
    private readonly organizations: OrganizationViewsService,
    private readonly roles: RoleRepository,
    private readonly permissions: PermissionsService,
    private readonly cursors: CursorsService,
    private readonly box: SecretBox,
    private readonly giving: RoleGivingService,
  ) {}

  /**
   * Without system roles, and those that the caller may not give there by `RoleGivingService`. The roles of the organization first, then by scope and name. A page may have fewer roles than
   * its size, and others after it. Throws `validation_failed` or `not_found`.
   */
  async list({ userId }: Caller, organizationId: string, query: CursorQueryDto): Promise<CursorAnswer<Role>> {
    const list = `givable_roles|${organizationId}`;
    const page = this.cursors.read(list, query);
    await this.organizations.find(organizationId);
    const roles = await this.roles.listGivable(
      organizationId,
      page.limit,
      page.after && this.roleAt(page.after, organizationId),
    );
    const position = (role: Role): Position => this.positionOf(role);
    const answer = this.cursors.answer(list, page, roles, { item: (role) => role, position });
    const needs = await this.giving.needs(answer.items.map(({ id }) => id));
    const { grants: there } = await this.permissions.inOrganization(userId, organizationId);
    const everywhere = await this.permissions.findGrants(userId);
    const isGivable = ({ id }: Role): boolean => {
      const needed = needs.get(id);
      if (!needed) return false;
      return there.missing(needed.granted).length === 0 && everywhere.missing(needed.everywhere).length === 0;
    };
    return { ...answer, items: answer.items.filter(isGivable) };
  }

  /** Encrypted, because the last role of a page may be one that is left out. */
  private positionOf({ organizationId, scope, name }: Role): Position {
    const kind = organizationId === null ? OF_SERVICE : 'organization';
    return [this.box.seal(JSON.stringify([kind, scope, name]), POSITION)];
  }

  private roleAt([sealed = '']: Position, organizationId: string): RoleName {
    const [kind, scope = '', name = ''] = JSON.parse(this.box.open(sealed, POSITION)) as Position;
    return { organizationId: kind === OF_SERVICE ? null : organizationId, scope, name };
  }
}

const OF_SERVICE = 'service';
const POSITION = 'givable_roles|position';
