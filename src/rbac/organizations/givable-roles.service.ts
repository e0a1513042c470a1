import { Injectable } from '@nestjs/common';
import { Caller } from '../../platform/context';
import { SecretBox } from '../../platform/crypto';
import { CursorAnswer, CursorQueryDto, CursorsService, Position } from '../../platform/lists';
import { GrantRepository } from '../grant.repository';
import { PermissionsService } from '../permissions.service';
import { PowerlessRolesService } from '../powerless-roles.service';
import { Role } from '../role.entity';
import { RoleName, RoleRepository } from '../role.repository';
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
    private readonly box: SecretBox,
    private readonly powerlessRoles: PowerlessRolesService,
  ) {}

  /**
   * Without system roles, those that grant more than the caller holds there, and those that need more by
   * `PowerlessRolesService`. The roles of the organisation first, then by scope and name. A page may have fewer roles than
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
    const granted = await this.grants.byRole(answer.items.map(({ id }) => id));
    const { grants: held } = await this.permissions.inOrganization(userId, organizationId);
    const mayGivePowerless = (await this.permissions.of(userId)).missing([this.powerlessRoles.needed]).length === 0;
    const powerless = await this.powerlessRoles.among(answer.items, granted);
    const isGivable = ({ id }: Role): boolean =>
      held.missing(granted.get(id) ?? []).length === 0 && (mayGivePowerless || !powerless.has(id));
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
