import { SetMetadata, Type } from '@nestjs/common';
import { Caller } from '../context';

/**
 * Says whose a thing is, by the stored row and never by what the request claims. A thing without an owner belongs to
 * nobody. The rule is a provider of its module, found by its class.
 */
export abstract class OwnershipRule {
  /** @param params of the path, unchecked. May throw `not_found` where the thing is not the caller's to know of. */
  abstract isOwner(caller: Caller, params: Readonly<Record<string, string>>): Promise<boolean>;
}

export type OwnershipRuleClass = Type<OwnershipRule>;

export const OWNERSHIP = Symbol('castellan.ownership');

/** Beside `@RequirePermission`: the owner needs none of its permissions. */
export const OwnedBy = (rule: OwnershipRuleClass): MethodDecorator & ClassDecorator => SetMetadata(OWNERSHIP, rule);
