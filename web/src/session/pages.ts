/** Groups of administration pages, in the order of the menu. Their names are under `nav.group_…`. */
export const menuGroups = ['people', 'login', 'messages', 'system'] as const;
export type MenuGroup = (typeof menuGroups)[number];

/** Pages of the console, in the order of the menu. A page without a permission is open to all users. */
export interface ConsolePage {
  readonly path: string;
  /** Key of the page name under `nav`. */
  readonly name: string;
  readonly permission?: string;
  /** Without a group, the page is at the top of the menu. */
  readonly group?: MenuGroup;
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
  { path: '/account/organizations', name: 'organizations', unlisted: true },
];

export const adminPages: readonly ConsolePage[] = [
  { path: '/admin', name: 'dashboard', permission: 'statistics:read' },
  { path: '/admin/setup', name: 'setup', permission: 'setting:update', unlisted: true },
  { path: '/admin/users', name: 'users', permission: 'user:admin', group: 'people' },
  { path: '/admin/attributes', name: 'attributes', permission: 'attribute:read', group: 'people' },
  { path: '/admin/roles', name: 'roles', permission: 'role:read', group: 'people' },
  { path: '/admin/groups', name: 'groups', permission: 'group:read', group: 'people' },
  { path: '/admin/organizations', name: 'organizations', permission: 'organization:read', group: 'people' },
  { path: '/admin/permissions', name: 'permissions', permission: 'permission:read', group: 'people' },
  { path: '/admin/settings', name: 'settings', permission: 'setting:read', group: 'system' },
  { path: '/admin/sign-in', name: 'sign_in', permission: 'setting:read', group: 'login' },
  { path: '/admin/login-methods', name: 'login_methods', permission: 'login_method:read', group: 'login' },
  { path: '/admin/providers', name: 'providers', permission: 'oauth_provider:read', group: 'login' },
  {
    path: '/admin/clients',
    name: 'clients',
    permission: 'oauth_client:read',
    orPermission: 'oauth_client:create',
    group: 'login',
  },
  { path: '/admin/templates', name: 'templates', permission: 'message_template:read', group: 'messages' },
  { path: '/admin/deliveries', name: 'deliveries', permission: 'delivery:read', group: 'messages' },
  { path: '/admin/audit', name: 'audit', permission: 'audit:read', group: 'system' },
  { path: '/admin/events', name: 'events', permission: 'event:read', group: 'system' },
  { path: '/admin/webhooks', name: 'webhooks', permission: 'webhook:read', group: 'system' },
  { path: '/admin/signing-keys', name: 'signing_keys', permission: 'signing_key:read', group: 'system' },
  { path: '/admin/doctor', name: 'doctor', permission: 'setting:read', group: 'system' },
];

const roots = ['/account', '/admin'];

/** Returns whether the address belongs to the page or to one of its subpages. */
export function isOn({ path }: ConsolePage, address: string): boolean {
  return address === path || (!roots.includes(path) && address.startsWith(`${path}/`));
}
