import { Caller } from '../context';

/** Finds out who makes a request. Throws the 401 that says why nobody could be found. */
export abstract class CallerAuthenticator {
  abstract authenticate(request: object): Promise<Caller>;
}

/** Answers whether a user holds a permission, from grants given directly and through roles. */
export abstract class PermissionChecker {
  abstract isGranted(userId: string, permission: string): Promise<boolean>;
  /** The permission with its scope spelled out, for the sentence of a refusal. */
  abstract describe(permission: string): { permission: string; scope: string };
}

/**
 * Where the access guard finds the two ports. Every controller needs the guard, and the guard needs sessions and
 * grants, whose modules have controllers: binding once, at the top, keeps that from being a circle.
 */
export class AccessPorts {
  private bound?: { authenticator: CallerAuthenticator; permissions: PermissionChecker };

  bind(authenticator: CallerAuthenticator, permissions: PermissionChecker): void {
    this.bound = { authenticator, permissions };
  }

  get authenticator(): CallerAuthenticator {
    return this.required.authenticator;
  }

  get permissions(): PermissionChecker {
    return this.required.permissions;
  }

  private get required(): { authenticator: CallerAuthenticator; permissions: PermissionChecker } {
    if (!this.bound) throw new Error('Access ports are not bound: IdentityModule has not been initialised');
    return this.bound;
  }
}
