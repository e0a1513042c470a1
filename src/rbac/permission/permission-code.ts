/** Matches every value of a part. */
export const WILDCARD = '*';

/** An action on a resource in a scope (a service). Each part is a name or `*`. */
export interface PermissionCode {
  readonly scope: string;
  readonly resource: string;
  readonly action: string;
}

const PART = String.raw`\*|[a-z][a-z0-9_-]{0,49}`;
const SCOPE = new RegExp(`^(?:${PART})$`);
const RESOURCE = new RegExp(`^(?:(?:${PART}):)?(?:${PART})$`);
const CODE = new RegExp(`^(?:(?<scope>${PART}):)?(?<resource>${PART}):(?<action>${PART})$`);

/** Whether the text is the name of a scope, or `*`. */
export function isScope(text: string): boolean {
  return SCOPE.test(text);
}

/** Whether the text names an action, or is `*`. */
export const isAction = isScope;

/** Whether the text names a resource, `resource` or `scope:resource`. Each part may be `*`. */
export function isResource(text: string): boolean {
  return RESOURCE.test(text);
}

/**
 * Parses `resource:action`, `scope:resource:action` or `*` (= `*:*`). A code without a scope gets `defaultScope`.
 * Returns undefined when any part is malformed, also the default scope. Nothing is trimmed or lower-cased.
 */
export function parsePermissionCode(text: string, defaultScope: string): PermissionCode | undefined {
  const parts = CODE.exec(text === WILDCARD ? '*:*' : text)?.groups;
  if (parts?.['resource'] === undefined || parts['action'] === undefined) return undefined;

  const scope = parts['scope'] ?? defaultScope;
  return isScope(scope) ? { scope, resource: parts['resource'], action: parts['action'] } : undefined;
}

/** The wire form without the scope, `resource:action`. Every permission is `*:*`. */
export function permissionIdOf(code: PermissionCode): string {
  return `${code.resource}:${code.action}`;
}

/** The full form, `scope:resource:action`. It is unique, so it serves as a key. */
export function formatPermissionCode(code: PermissionCode): string {
  return `${code.scope}:${permissionIdOf(code)}`;
}
