import { Injectable } from '@nestjs/common';
import { Caller, isOAuthClient, OAuthClientPrincipal } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { RateLimiterService } from '../../platform/http';
import { PublicUser, ShownUsersService, UserRepository } from '../../users';
import { SearchUsersDto } from './dto/account.dto';
import { searchPerMinutePerUser } from './auth.settings';

const LIMIT = { setting: searchPerMinutePerUser, windowSeconds: 60 };
const DEFAULT_FOUND = 20;

/** User search for logged-in users and OAuth clients. */
@Injectable()
export class UserSearchService {
  constructor(
    private readonly limiter: RateLimiterService,
    private readonly users: UserRepository,
    private readonly shown: ShownUsersService,
  ) {}

  /**
   * Users requested by id in the order of the request, then those whose username or nickname matches the keyword,
   * without duplicates.
   */
  async search(
    caller: Caller | OAuthClientPrincipal,
    { ids, keyword, limit = DEFAULT_FOUND }: SearchUsersDto,
  ): Promise<readonly PublicUser[]> {
    if (ids === undefined && keyword === undefined) {
      throw platformErrors.validationFailed({ fields: [{ field: 'ids', code: 'ids_or_keyword' }] });
    }
    await this.limiter.count(LIMIT, isOAuthClient(caller) ? caller.id : caller.userId);
    const asked = await this.inOrder([...new Set(ids ?? [])]);
    const found = keyword === undefined ? [] : await this.users.searchPublic(keyword, limit);
    return this.shown.all([...new Map([...asked, ...found].map((user) => [user.id, user])).values()]);
  }

  private async inOrder(ids: readonly string[]): Promise<PublicUser[]> {
    if (ids.length === 0) return [];
    const byId = new Map((await this.users.findPublic(ids)).map((user) => [user.id, user]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }
}
