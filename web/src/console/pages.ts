/** Pages of the console, in the order of the menu. A page without a permission is open to all users. */
export interface ConsolePage {
  readonly path: string;
  /** Key of the page name under `nav`. */
  readonly name: string;
  readonly permission?: string;
  /** Not in the menu. Another page links to it. */
  readonly unlisted?: boolean;
  /** Alternative permission that opens the page. */
  readonly orPermission?: string;
}

export const opens = (
  { permission = '', orPermission = permission }: ConsolePage,
  may: (code: string) => boolean,
): boolean => may(permission) || may(orPermission);

export const accountPages: readonly ConsolePage[] = [
  { path: '/account', name: 'profile' },
  { path: '/account/security', name: 'security' },
  { path: '/account/mfa', name: 'mfa' },
  { path: '/account/identities', name: 'identities' },
  { path: '/account/sessions', name: 'sessions' },
  { path: '/account/applications', name: 'applications' },
];

export const adminPages: readonly ConsolePage[] = [
  { path: '/admin', name: 'dashboard', permission: 'statistics:read' },
  { path: '/admin/setup', name: 'setup', permission: 'setting:update', unlisted: true },
  { path: '/admin/users', name: 'users', permission: 'user:admin' },
  { path: '/admin/roles', name: 'roles', permission: 'role:read' },
  { path: '/admin/permissions', name: 'permissions', permission: 'permission:read' },
  { path: '/admin/settings', name: 'settings', permission: 'setting:read' },
  { path: '/admin/login-methods', name: 'login_methods', permission: 'login_method:read' },
  { path: '/admin/providers', name: 'providers', permission: 'oauth_provider:read' },
  {
    path: '/admin/clients',
    name: 'clients',
    permission: 'oauth_client:read',
    orPermission: 'oauth_client:create',
  },
  { path: '/admin/templates', name: 'templates', permission: 'message_template:read' },
  { path: '/admin/deliveries', name: 'deliveries', permission: 'delivery:read' },
  { path: '/admin/audit', name: 'audit', permission: 'audit:read' },
  { path: '/admin/signing-keys', name: 'signing_keys', permission: 'signing_key:read' },
  { path: '/admin/doctor', name: 'doctor', permission: 'setting:read' },
];

const roots = ['/account', '/admin'];

/** Returns whether the address belongs to the page or to one of its subpages. */
export function isOn({ path }: ConsolePage, address: string): boolean {
  return address === path || (!roots.includes(path) && address.startsWith(`${path}/`));
}
