import type { IdentityValues } from 'castellan';

/** Permissions and roles of the shop. They exist from the first start; administrators may change the role. */
export const declarations: Pick<IdentityValues, 'permissions' | 'roles'> = {
  permissions: [
    { permission: 'shop:order:read', description: 'See the orders' },
    { permission: 'shop:order:delete', description: 'Delete an order' },
  ],
  roles: [{ name: 'manager', scope: 'shop', permissions: ['shop:order:read', 'shop:order:delete'] }],
};
