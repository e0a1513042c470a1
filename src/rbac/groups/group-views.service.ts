import { Injectable } from '@nestjs/common';
import { Caller } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { listByPage, PageAnswer, pageOf } from '../../platform/lists';
import { PlaceAccessService } from '../escalation/place-access.service';
import { ListGroupsDto } from './dto/group.dto';
import { GroupAccessService } from './group-access.service';
import { GroupMemberRepository } from '../grants/group-member.repository';
import { Group } from '../grants/group.entities';
import { GroupRepository } from '../grants/group.repository';
import { GroupView } from '../grants/group.views';
import { groupPermissions } from './groups.permissions';

/** Finds groups, and combines them with their path, roles and member counts. */
@Injectable()
export class GroupViewsService {
  constructor(
    private readonly access: GroupAccessService,
    private readonly places: PlaceAccessService,
    private readonly groups: GroupRepository,
    private readonly members: GroupMemberRepository,
  ) {}

  /** Sorted by name. Throws the errors of `PlaceAccessService.requireAll`. */
  async list(caller: Caller, query: ListGroupsDto): Promise<PageAnswer<GroupView>> {
    const { keyword, parent_id: parentId, role_id: roleId, organization_id: organizationId = null } = query;
    await this.places.requireAll(caller, groupPermissions.read, organizationId);
    const page = pageOf(query);
    const filter = { organizationId, keyword, parentId, roleId };
    const groups = await this.groups.list(filter, page);
    return listByPage(page, await this.build(groups), await this.groups.count(filter));
  }

  /** Throws `not_found`. */
  async show(caller: Caller, id: string): Promise<GroupView> {
    await this.access.find(caller, groupPermissions.read, id);
    return this.find(id);
  }

  /** Any group, for callers who have been checked. Throws `not_found`. */
  async find(id: string): Promise<GroupView> {
    const group = await this.groups.findById(id);
    const [view] = group ? await this.build([group]) : [];
    if (!view) throw platformErrors.notFound();
    return view;
  }

  private async build(groups: readonly Group[]): Promise<GroupView[]> {
    const ids = groups.map(({ id }) => id);
    const onPaths = [...new Set(groups.flatMap(({ path }) => path))];
    const names = new Map((await this.groups.findByIds(onPaths)).map(({ id, name }) => [id, name]));
    const roles = await this.groups.rolesOf(ids);
    const counts = await this.members.counts(ids);
    return groups.map((group) => ({
      group,
      path: group.path.map((id) => names.get(id) ?? ''),
      roleIds: roles.get(group.id) ?? [],
      memberCount: counts.get(group.id) ?? 0,
    }));
  }
}
