import { Grant, grantOf, organizationPermissions, parsePermissionCode, rankOf } from '../../../rbac';
import { clientPermissions } from '../authorization-server.permissions';

function grantOfPermission(permission: string, serviceScope: string): Grant {
  const code = parsePermissionCode(permission, serviceScope);
  if (!code) throw new Error(`"${permission}" is not a permission code`);
  return grantOf(code, rankOf(code));
}

/** What a user must hold in an organisation, or everywhere, to tie a client to it or to untie it. */
export const grantToTie = (serviceScope: string): Grant =>
  grantOfPermission(organizationPermissions.update, serviceScope);

/** What a user must hold everywhere to have a client that belongs to no organisation. */
export const grantToRegister = (serviceScope: string): Grant =>
  grantOfPermission(clientPermissions.create, serviceScope);
