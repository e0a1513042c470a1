/** A permission that a user holds, with its level. `permission_id` is `resource:action`. */
export interface Permission {
  readonly scope: string;
  readonly permission_id: string;
  readonly level: number;
}

/** What `can` reads of an account: `GET /api/auth/me` returns it. */
export interface PermissionHolder {
  readonly permissions: readonly Permission[];
  /** Scope of permissions without one. Without it, every permission must name its scope. */
  readonly default_scope?: string;
  /** Levels that the catalogue requires for actions without a standard one. */
  readonly required_levels?: readonly Permission[];
  /** What the user must do before anything else. Until then, no permission counts. */
  readonly pending?: string | null | undefined;
}

interface Code {
  readonly scope: string;
  readonly resource: string;
  readonly action: string;
}

/** The standard actions, by level: `read` needs level 1, `admin` level 7. */
export const levelNames = ['read', 'create', 'update', 'delete', 'execute', 'grant', 'admin'] as const;

const MAX_LEVEL = levelNames.length;
const ANY = '*';
const PART = String.raw`\*|[a-z][a-z0-9_-]{0,49}`;
const CODE = new RegExp(`^(?:(${PART}):)?(${PART}):(${PART})$`);

/** Undefined for an action without a standard level. */
function standardLevel(action: string): number | undefined {
  if (action === ANY) return MAX_LEVEL;
  const index = levelNames.findIndex((name) => name === action);
  return index < 0 ? undefined : index + 1;
}

/** The level that an action needs: that of its standard action, else 7. */
export const rankOf = (action: string): number => standardLevel(action) ?? MAX_LEVEL;

function parse(text: string, defaultScope: string | undefined): Code | undefined {
  const [, scope = defaultScope, resource, action] = CODE.exec(text === ANY ? '*:*' : text) ?? [];
  if (scope === undefined || resource === undefined || action === undefined) return undefined;
  return { scope, resource, action };
}

/** Of two entries for one code the higher level counts. The catalogue cannot change wildcards and standard actions. */
function requiredLevel({ scope, resource, action }: Code, levels: readonly Permission[]): number {
  const standard = standardLevel(action);
  if (standard !== undefined) return standard;
  if (scope === ANY || resource === ANY) return MAX_LEVEL;
  const id = `${resource}:${action}`;
  const entries = levels.filter((entry) => entry.scope === scope && entry.permission_id === id);
  return entries.length === 0 ? MAX_LEVEL : Math.max(...entries.map(({ level }) => level));
}

/** A user of a source without duties has none. */
const isHeldBack = ({ pending }: PermissionHolder): boolean => pending !== undefined && pending !== null;

const isIn = (part: string, granted: string): boolean => granted === part || granted === ANY;

function covers(grant: Permission, { scope, resource, action }: Code): boolean {
  const held = parse(grant.permission_id, grant.scope);
  return (
    held !== undefined &&
    isIn(scope, held.scope) &&
    isIn(resource, held.resource) &&
    (isIn(action, held.action) || held.action === 'admin')
  );
}

/**
 * Returns whether the user holds a permission, exactly as the service evaluates it. For display only: the service checks
 * every request itself. False without a user, while the user has something to do first, and for malformed permissions.
 *
 * @param permission `scope:resource:action`, `resource:action` of the service's own scope, or `*`
 * @param level counts if it is higher than the level that the action needs
 */
export function can(user: PermissionHolder | null | undefined, permission: string, level?: number): boolean {
  const code = user ? parse(permission, user.default_scope) : undefined;
  if (!user || !code || isHeldBack(user)) return false;
  const rank = requiredLevel(code, user.required_levels ?? []);
  const needed = level === undefined || level <= rank ? rank : level;
  return user.permissions.some((grant) => grant.level >= needed && covers(grant, code));
}
