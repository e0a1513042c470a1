import { Injectable } from '@nestjs/common';
import { platformErrors } from '../platform/errors';
import { ContactNormalizerService } from '../users';
import { UserAttributesService } from '../users/attributes';
import { ListUsersDto } from './dto/user-input.dto';
import { UserFilter } from './user-list.repository';
import { NEWEST_FIRST, UserSort } from './user-order';

export type UserFilterInput = Pick<
  ListUsersDto,
  'keyword' | 'status' | 'role_id' | 'has_second_factor' | 'attribute'
> & {
  readonly sort?: UserSort;
};

/** Reads the filter of a list of users from a request. */
@Injectable()
export class UserFiltersService {
  constructor(
    private readonly contacts: ContactNormalizerService,
    private readonly attributes: UserAttributesService,
  ) {}

  /** Throws `validation_failed` for an order combined with a keyword, or an attribute without an index. */
  async read(input: UserFilterInput): Promise<UserFilter> {
    const { keyword: text, status, role_id: roleId, has_second_factor: hasSecondFactor, sort = NEWEST_FIRST } = input;
    if (text && sort !== NEWEST_FIRST) {
      throw platformErrors.validationFailed({ fields: [{ field: 'sort', code: 'sort_or_keyword' }] });
    }
    const keyword = text ? { text, phone: await this.contacts.readPhone(text) } : undefined;
    const attribute = input.attribute ? await this.attributes.searched(input.attribute) : undefined;
    return { keyword, status, roleId, hasSecondFactor, attribute, sort };
  }
}
