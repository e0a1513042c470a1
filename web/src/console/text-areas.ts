/** Areas that share many texts have one file, which has the name of one of them. */
const shared: Readonly<Record<string, string>> = {
  permissions: 'roles',
  groups: 'organizations',
  deliveries: 'templates',
  events: 'webhooks',
};

/**
 * Returns the area of a page. Texts that only its pages show are in `i18n/<language>/console_<area>.json`, all others in
 * `console.json`.
 *
 * @param path as in the router, such as `/admin/users/:id`.
 */
export function areaOf(path: string): string {
  // Pages within an organization are those of the service: `/admin/organizations/:organization/groups/:id`.
  const [, , list = '', , nested = list] = path.split('/');
  const area = nested || 'dashboard';
  return shared[area] ?? area.replaceAll('-', '_');
}
