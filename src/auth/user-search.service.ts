import { Injectable } from '@nestjs/common';
import { Caller, isMachine, Machine } from '../platform/context';
import { platformErrors } from '../platform/errors';
import { RateLimiter, searchPerMinutePerUser } from '../platform/http';
import { PublicUser, UserRepository } from '../users';
import { SearchUsersDto } from './dto/account.dto';

const LIMIT = { setting: searchPerMinutePerUser, windowSeconds: 60 };
const DEFAULT_FOUND = 20;

/** What anybody who is logged in, and any machine, may find out about others. */
@Injectable()
export class UserSearchService {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly users: UserRepository,
  ) {}

  /** Those asked for by id in the order asked, then those the keyword finds by username; nobody twice. */
  async search(
    caller: Caller | Machine,
    { ids, keyword, limit = DEFAULT_FOUND }: SearchUsersDto,
  ): Promise<PublicUser[]> {
    if (ids === undefined && keyword === undefined) {
      throw platformErrors.validationFailed({ fields: [{ field: 'ids', code: 'ids_or_keyword' }] });
    }
    await this.limiter.count(LIMIT, isMachine(caller) ? caller.id : caller.userId);
    const asked = await this.inOrder([...new Set(ids ?? [])]);
    const found = keyword === undefined ? [] : await this.users.searchPublic(keyword, limit);
    return [...new Map([...asked, ...found].map((user) => [user.id, user])).values()];
  }

  private async inOrder(ids: readonly string[]): Promise<PublicUser[]> {
    if (ids.length === 0) return [];
    const byId = new Map((await this.users.findPublic(ids)).map((user) => [user.id, user]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }
}
