const declared = new Set<string>();

/**
 * Declares the permissions of the service's own scope that a module's routes ask for, as `resource:action`. They are the
 * fixed part of the catalogue, each described in `i18n/<language>/permissions.json` under `resource.action`; a route
 * that asks for an undeclared one ends the start. A permission of several modules is declared by each.
 */
export function definePermissions<const T extends Record<string, string>>(permissions: T): Readonly<T> {
  for (const permission of Object.values(permissions)) declared.add(permission);
  return Object.freeze(permissions);
}

/** Every permission declared by the modules loaded so far, sorted. */
export function declaredPermissions(): readonly string[] {
  return [...declared].sort();
}
