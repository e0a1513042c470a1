import { Caller, Machine } from '../context';

/** Finds out who makes a request. Throws the 401 that says why nobody could be found. */
export abstract class CallerAuthenticator {
  abstract authenticate(request: object): Promise<Caller>;

  /** As `authenticate`, where that needs no wait, which is dear where every request has it; undefined: ask `authenticate`. */
  peek(_request: object): Caller | undefined {
    return undefined;
  }
}

/** Finds out which application makes a request for itself. */
export abstract class MachineAuthenticator {
  /** Undefined where no machine's token counts: then it may be a user's request. Errors: `unauthenticated`. */
  abstract authenticate(request: object): Promise<Machine | undefined>;
}

/** Answers whether a user holds a permission, from grants given directly and through roles. */
export abstract class PermissionChecker {
  abstract isGranted(userId: string, permission: string): Promise<boolean>;

  /** As `isGranted`, where that needs no wait. */
  peekGranted(_userId: string, _permission: string): boolean | undefined {
    return undefined;
  }

  /** The permission with its scope spelled out, for the sentence of a refusal. */
  abstract describe(permission: string): { permission: string; scope: string };
}

/** Counts what administrators change, before it is done. */
export abstract class WriteLimit {
  /** @param subject a user's id, or a client's. Errors: `rate_limited`. */
  abstract count(subject: string): Promise<void>;
}

/** How a user stands to second factors. */
export interface SecondFactorStanding {
  /** Second factors are asked for here. */
  readonly isOffered: boolean;
  /** The user must have one. */
  readonly isRequired: boolean;
  /** The user has one. */
  readonly isEnrolled: boolean;
}

/** Says who has a second factor, and who must. */
export abstract class SecondFactorPolicy {
  abstract of(userId: string): Promise<SecondFactorStanding>;
  /** The user must have one and has none: then only the way to one is open. */
  abstract isEnrolmentDue(userId: string): Promise<boolean>;

  /** As `isEnrolmentDue`, where that needs no wait. */
  peekEnrolmentDue(_userId: string): boolean | undefined {
    return undefined;
  }
}

interface Ports {
  readonly authenticator: CallerAuthenticator;
  readonly machines: MachineAuthenticator;
  readonly permissions: PermissionChecker;
  readonly writeLimit: WriteLimit;
  readonly secondFactors: SecondFactorPolicy;
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

  get machines(): MachineAuthenticator {
    return this.required.machines;
  }

  get permissions(): PermissionChecker {
    return this.required.permissions;
  }

  get writeLimit(): WriteLimit {
    return this.required.writeLimit;
  }

  get secondFactors(): SecondFactorPolicy {
    return this.required.secondFactors;
  }

  private get required(): Ports {
    if (!this.bound) throw new Error('Access ports are not bound: IdentityModule has not been initialised');
    return this.bound;
  }
}
