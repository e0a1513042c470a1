import { definePermissions } from '../../platform/access';

export const rolePermissions = definePermissions({
  read: 'role:read',
  create: 'role:create',
  update: 'role:update',
  delete: 'role:delete',
});

export const cataloguePermissions = definePermissions({
  read: 'permission:read',
  create: 'permission:create',
  delete: 'permission:delete',
});

export const userPermissions = definePermissions({ administer: 'user:admin' });

/** Not an action of `user`: `user:admin` would include it. */
export const actAsPermissions = definePermissions({ execute: 'act_as:execute' });

/** The grants of the role `user`. No route requires them, because all users may edit their own profile. */
export const profilePermissions = definePermissions({ read: 'profile:read', update: 'profile:update' });
