import { Grant, grantOf, organizationPermissions, parsePermissionCode, rankOf } from '../../../rbac';

/** What a user must hold in an organisation, or everywhere, to tie a client to it or to untie it. */
export function grantToTie(serviceScope: string): Grant {
  const code = parsePermissionCode(organizationPermissions.update, serviceScope);
  if (!code) throw new Error(`"${organizationPermissions.update}" is not a permission code`);
  return grantOf(code, rankOf(code));
}
