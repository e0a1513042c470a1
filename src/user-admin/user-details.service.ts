import { Injectable } from '@nestjs/common';
import { FactorsService } from '../mfa';
import { RoleOfUser, RoleViewsService } from '../rbac';

/** What a list of users shows besides the account. */
export interface UserDetails {
  /** By scope, then name, without those of groups. */
  readonly roles: readonly RoleOfUser[];
  /** All of these roles, also beyond the limit. */
  readonly roleCount: number;
  readonly hasSecondFactor: boolean;
}

/** Finds the roles and second factors of many users in one query each. */
@Injectable()
export class UserDetailsService {
  constructor(
    private readonly roles: RoleViewsService,
    private readonly factors: FactorsService,
  ) {}

  /** One result per id, in the same order. @param maxRoles at most so many roles each; null: all. */
  async load(ids: readonly string[], maxRoles: number | null): Promise<UserDetails[]> {
    const [roles, enrolled] = [await this.roles.ofUsers(ids, maxRoles), await this.factors.enrolledAmong(ids)];
    return ids.map((id) => {
      const held = roles.get(id) ?? [];
      return { roles: held, roleCount: held[0]?.total ?? 0, hasSecondFactor: enrolled.has(id) };
    });
  }
}
