import { Injectable } from '@nestjs/common';
import { GroupRepository } from './group.repository';

/** Looks up groups for other features. */
@Injectable()
export class GroupLookupService {
  constructor(private readonly groups: GroupRepository) {}

  /** Of the ids, those that belong to no group. */
  async unknownAmong(ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const known = new Set((await this.groups.findByIds(ids)).map(({ id }) => id));
    return new Set(ids.filter((id) => !known.has(id)));
  }
}
