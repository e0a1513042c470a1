import type { PermissionLevel } from '../../rbac';
import type {
  AttributeChoice,
  AttributeSource,
  AttributeTexts,
  AttributeType,
  OwnerRight,
  RequiredAt,
} from '../../users/attributes';
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

/** A field of users that the host needs. */
export interface DeclaredAttribute {
  /** Lower-case letters, digits and underscores, beginning with a letter. */
  readonly name: string;
  readonly type: AttributeType;
  readonly label: AttributeTexts;
  /** Help in forms. Default: none. */
  readonly description?: AttributeTexts;
  /** Of a `choice`. */
  readonly choices?: readonly (string | AttributeChoice)[];
  /** Of a `number`, or of a `date` as `YYYY-MM-DD`. */
  readonly min?: number | string;
  readonly max?: number | string;
  /** Of a `text`, and of each item of a `text_list`, in characters. Default 200. */
  readonly maxLength?: number;
  /** Of a `text`, and of each item of a `text_list`: a regular expression in RE2 syntax that matches the whole text. */
  readonly pattern?: string;
  /** What the owner of the account may do with the value. Default `none`. */
  readonly owner?: OwnerRight;
  /** When users must give it. Needs `owner: 'write'`. Default `no`. */
  readonly required?: RequiredAt;
  readonly unique?: boolean;
  readonly searchable?: boolean;
  /** Who writes it beside the owner. Default `local`: administrators. */
  readonly source?: AttributeSource;
}

/** A field of users, for the option `attributes`. Keeps its literal types. */
export const defineAttribute = <const Declared extends DeclaredAttribute>(attribute: Declared): Declared => attribute;

/** What the code of a host declares. */
export abstract class HostDeclarations {
  abstract readonly permissions: readonly DeclaredPermission[];
  abstract readonly roles: readonly DeclaredRole[];
  abstract readonly attributes: readonly DeclaredAttribute[];
  /** Values by key of the setting. */
  abstract readonly settings: Readonly<Record<string, unknown>>;
}
