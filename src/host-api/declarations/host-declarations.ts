import type { PermissionLevel } from '../../rbac';
import type { GrantedPermission } from '../permissions.api';

/** A permission of the host, for the catalogue. */
export interface DeclaredPermission {
  /** `scope:resource:action`, of a scope of the host. */
  readonly permission: string;
  readonly description?: string;
  /** Minimum level of a grant, for an action without a standard rank. Default 7. */
  readonly level?: PermissionLevel;
}

/** A role of the host. */
export interface DeclaredRole {
  readonly name: string;
  /** A label for lists. Default: the service's own. */
  readonly scope?: string;
  readonly description?: string;
  /** `scope:resource:action`, at level 7 unless one is given. */
  readonly permissions?: readonly (string | GrantedPermission)[];
  /** Whether users of the role must have a second factor. Default false. */
  readonly mfaRequired?: boolean;
}

/** What the code of a host declares. */
export abstract class HostDeclarations {
  abstract readonly permissions: readonly DeclaredPermission[];
  abstract readonly roles: readonly DeclaredRole[];
  /** Values by key of the setting. */
  abstract readonly settings: Readonly<Record<string, unknown>>;
}
