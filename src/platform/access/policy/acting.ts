import { SetMetadata } from '@nestjs/common';
import { Caller, isSafeMethod } from '../../context';
import { accessErrors } from './access.errors';

export const ALLOWED_WHILE_ACTING = Symbol('castellan.allowed_while_acting');

/**
 * Keeps the route open to a user who acts as another one. Without it, only requests with a safe method are open. A
 * route that requires a recent login stays closed.
 */
export const AllowWhileActing = (): MethodDecorator & ClassDecorator => SetMetadata(ALLOWED_WHILE_ACTING, true);

/** What the rule for acting users depends on. */
export interface ActingRules {
  readonly allowedWhileActing: boolean;
  /** Undefined: the route requires no recent login. */
  readonly recentFactors: unknown;
}

/** Whether Nest runs the handler for an HTTP request with a safe method. A message or a resolver may change anything. */
export const isRead = (kind: string, method: string): boolean => kind === 'http' && isSafeMethod(method);

/** Denies what a user must not do in the name of another. Throws `acting_restricted`. */
export function rejectWhileActing(
  { actor }: Pick<Caller, 'actor'>,
  { allowedWhileActing, recentFactors }: ActingRules,
  isReading: boolean,
): void {
  if (!actor) return;
  if (recentFactors !== undefined || !(allowedWhileActing || isReading)) throw accessErrors.actingRestricted();
}
