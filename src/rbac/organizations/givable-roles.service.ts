import { Injectable } from '@nestjs/common';
import { Caller } from '../../platform/context';
import { CursorAnswer, CursorQueryDto, CursorsService } from '../../platform/lists';
import { GrantRepository } from '../grant.repository';
import { PermissionsService } from '../permissions.service';
import { Role } from '../role.entity';
import { GivableAfter, RoleRepository } from '../role.repository';
import { OrganizationViewsService } from './organization-views.service';

/** The roles that an administrator may hand out in an organisation, which need not be allowed to see all roles. */
@Injectable()
export class GivableRolesService {
  constructor(
    private readonly organizations: OrganizationViewsService,
    private readonly roles: RoleRepository,
    private readonly grants: GrantRepository,
    private readonly permissions: PermissionsService,
    private readonly cursors: CursorsService,
  ) {}

  /**
   * Without system roles and those that grant more than the caller holds there. The roles of the organisation first, then by
   * scope and name. A page may have fewer roles than its size, and others after it. Throws `validation_failed` or
   * `not_found`.
   */
  async list({ userId }: Caller, organizationId: string, query: CursorQueryDto): Promise<CursorAnswer<Role>> {
    const list = `givable_roles|${organizationId}`;
    const page = this.cursors.read(list, query);
    await this.organizations.find(organizationId);
    const roles = await this.roles.listGivable(organizationId, page.limit, page.after && positionIn(page.after));
    const answer = this.cursors.answer(list, page, roles, { item: (role) => role, position: positionOf });
    const granted = await this.grants.byRole(answer.items.map(({ id }) => id));
    const { grants: held } = await this.permissions.inOrganization(userId, organizationId);
    return { ...answer, items: answer.items.filter(({ id }) => held.missing(granted.get(id) ?? []).length === 0) };
  }
}

const positionOf = ({ organizationId, scope, name }: Role): GivableAfter => [
  organizationId === null ? 'service' : 'organization',
  scope,
  name,
];

const positionIn = ([kind = '', scope = '', name = '']: readonly string[]): GivableAfter => [kind, scope, name];
