import { SetMetadata, Type } from '@nestjs/common';
import { Caller } from '../../context';

/**
 * Decides who owns a resource, by the stored row and never by what the request claims. A resource without an owner
 * belongs to no user. The rule is a provider of its module.
 */
export abstract class OwnershipRule {
  /**
   * @param params path parameters, not validated. May throw `not_found` if the caller must not learn that the resource
   * exists.
   */
  abstract isOwner(caller: Caller, params: Readonly<Record<string, string>>): Promise<boolean>;
}

export type OwnershipRuleClass = Type<OwnershipRule>;

export const OWNERSHIP = Symbol('castellan.ownership');

/** Use it with `@RequirePermission`: the owner needs none of the permissions. */
export const OwnedBy = (rule: OwnershipRuleClass): MethodDecorator & ClassDecorator => SetMetadata(OWNERSHIP, rule);
