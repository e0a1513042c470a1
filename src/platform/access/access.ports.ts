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

/** Counts what administrators change, before it is done. */
export abstract class WriteLimit {
  /** Errors: `rate_limited`. */
  abstract count(userId: string): Promise<void>;
}

interface Ports {
  readonly authenticator: CallerAuthenticator;
  readonly permissions: PermissionChecker;
  readonly writeLimit: WriteLimit;
}

/**
 * Where the access guard finds its ports. Every controller needs the guard, and the guard needs sessions and
 * grants, whose modules have controllers: binding once, at the top, keeps that from being a circle.
 */
export class AccessPorts {
  private bound?: Ports;

  bind(ports: Ports): void {
    this.bound = ports;
  }

  get authenticator(): CallerAuthenticator {
    return this.required.authenticator;
  }

  get permissions(): PermissionChecker {
    return this.required.permissions;
  }

  get writeLimit(): WriteLimit {
    return this.required.writeLimit;
  }

  private get required(): Ports {
    if (!this.bound) throw new Error('Access ports are not bound: IdentityModule has not been initialised');
    return this.bound;
  }
}
