import { Injectable } from '@nestjs/common';
import { GroupRepository } from '../grants/group.repository';

/** Looks up groups of the service for other features, which never meet those of an organization. */
@Injectable()
export class GroupLookupService {
  constructor(private readonly groups: GroupRepository) {}

  /** Of the ids, those that belong to no group of the service. */
  async unknownAmong(ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const found = await this.groups.findByIds(ids);
    const known = new Set(found.filter(({ organizationId }) => organizationId === null).map(({ id }) => id));
    return new Set(ids.filter((id) => !known.has(id)));
  }
}
