/** Stands for every value of a part. */
export const WILDCARD = '*';

/** What may be done (action) to what (resource) in which service (scope); each part is a name or `*`. */
export interface PermissionCode {
  readonly scope: string;
  readonly resource: string;
  readonly action: string;
}

const PART = String.raw`\*|[a-z][a-z0-9_-]{0,49}`;
const SCOPE = new RegExp(`^(?:${PART})$`);
const CODE = new RegExp(`^(?:(?<scope>${PART}):)?(?<resource>${PART}):(?<action>${PART})$`);

/** Whether the text is the name of a scope, or `*`. */
export function isScope(text: string): boolean {
  return SCOPE.test(text);
}

/**
 * Reads `resource:action`, `scope:resource:action` or `*` (= `*:*`). A code without a scope takes `defaultScope`.
 * Undefined when any part, the scope taken included, is malformed: nothing is trimmed, lowered or guessed.
 */
export function parsePermissionCode(text: string, defaultScope: string): PermissionCode | undefined {
  const parts = CODE.exec(text === WILDCARD ? '*:*' : text)?.groups;
  if (parts?.['resource'] === undefined || parts['action'] === undefined) return undefined;

  const scope = parts['scope'] ?? defaultScope;
  return isScope(scope) ? { scope, resource: parts['resource'], action: parts['action'] } : undefined;
}

/** The wire form without the scope, `resource:action`; everything is `*:*`. */
export function permissionIdOf(code: PermissionCode): string {
  return `${code.resource}:${code.action}`;
}

/** The full form, `scope:resource:action`. No two codes share one, so it serves as a key. */
export function formatPermissionCode(code: PermissionCode): string {
  return `${code.scope}:${permissionIdOf(code)}`;
}
