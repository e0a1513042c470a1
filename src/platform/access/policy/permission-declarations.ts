const declared = new Set<string>();

/**
 * Declares the permissions of the service's own scope that the routes of a module require, as `resource:action`. They
 * form the fixed part of the catalogue, with their descriptions in `i18n/<language>/permissions.json` under
 * `resource.action`. A route that requires an undeclared permission fails the startup. Modules that share a permission
 * each declare it.
 */
export function definePermissions<const T extends Record<string, string>>(permissions: T): Readonly<T> {
  for (const permission of Object.values(permissions)) declared.add(permission);
  return Object.freeze(permissions);
}

/** Every permission declared by the modules loaded so far, sorted. */
export function declaredPermissions(): readonly string[] {
  return [...declared].sort();
}
