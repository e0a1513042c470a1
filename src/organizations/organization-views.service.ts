import { Injectable } from '@nestjs/common';
import { Caller } from '../platform/context';
import { platformErrors } from '../platform/errors';
import { listByPage, PageAnswer, pageOf } from '../platform/lists';
import { PermissionsService, Organization, OrganizationRepository, organizationPermissions } from '../rbac';
import { ListOrganizationsDto } from './dto/organization.dto';

/** Finds organizations. */
@Injectable()
export class OrganizationViewsService {
  constructor(
    private readonly organizations: OrganizationRepository,
    private readonly permissions: PermissionsService,
  ) {}

  /** Sorted by name. Users without the permission everywhere see those that they are a member of. */
  async list({ userId }: Caller, query: ListOrganizationsDto): Promise<PageAnswer<Organization>> {
    const all = query.mine !== true && (await this.permissions.isGranted(userId, organizationPermissions.read));
    const filter = { keyword: query.keyword, ...(!all && { memberId: userId }) };
    const page = pageOf(query);
    return listByPage(page, await this.organizations.list(filter, page), await this.organizations.count(filter));
  }

  /** Throws `not_found`. */
  async find(id: string): Promise<Organization> {
    const organization = await this.organizations.findById(id);
    if (!organization) throw platformErrors.notFound();
    return organization;
  }
}
