import { Injectable } from '@nestjs/common';
import { AuditLogRepository } from '../audit';
import { LockoutService, MAX_LOCKOUT_SECONDS } from '../auth/login';
import { platformErrors } from '../platform/errors';
import { ContactNormalizerService } from '../users';
import { UserAttributesService } from '../users/attributes';
import { ListUsersDto } from './dto/user-input.dto';
import { UserFilter } from './user-list.repository';
import { NEWEST_FIRST, UserSort } from './user-order';

export type UserFilterInput = Pick<
  ListUsersDto,
  'keyword' | 'status' | 'locked' | 'role_id' | 'has_second_factor' | 'attribute'
> & {
  readonly sort?: UserSort;
};

/** Locks that are looked at; locked users beyond them are not found. */
const MAX_LOCKS = 1_000;

/** Reads the filter of a list of users from a request. */
@Injectable()
export class UserFiltersService {
  constructor(
    private readonly contacts: ContactNormalizerService,
    private readonly attributes: UserAttributesService,
    private readonly auditLog: AuditLogRepository,
    private readonly lockout: LockoutService,
  ) {}

  /** Throws `validation_failed` for an order combined with a keyword, or an attribute without an index. */
  async read(input: UserFilterInput): Promise<UserFilter> {
    const { keyword: text, status, role_id: roleId, has_second_factor: hasSecondFactor, sort = NEWEST_FIRST } = input;
    if (text && sort !== NEWEST_FIRST) {
      throw platformErrors.validationFailed({ fields: [{ field: 'sort', code: 'sort_or_keyword' }] });
    }
    const keyword = text ? { text, phone: await this.contacts.readPhone(text) } : undefined;
    const attribute = input.attribute ? await this.attributes.searched(input.attribute) : undefined;
    const locked = input.locked === undefined ? undefined : { is: input.locked, ids: await this.lockedIds() };
    return { keyword, status, locked, roleId, hasSecondFactor, attribute, sort };
  }

  /** The counters know whether an account is locked, the audit log which accounts were. */
  private async lockedIds(): Promise<string[]> {
    const since = new Date(Date.now() - MAX_LOCKOUT_SECONDS * 1_000);
    const ids = await this.auditLog.findLockedSince(since, MAX_LOCKS);
    const seconds = await this.lockout.lockedForEach(ids);
    return ids.filter((_, place) => (seconds[place] ?? 0) > 0);
  }
}
