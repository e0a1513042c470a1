import { Grant, grantOfPermission, organizationPermissions } from '../../../rbac';
import { clientPermissions } from './client.permissions';

/** What a user must hold in an organization, or everywhere, to tie a client to it or to untie it. */
export const grantToTie = (serviceScope: string): Grant =>
  grantOfPermission(organizationPermissions.update, serviceScope);

/** What a user must hold everywhere to have a client that belongs to no organization. */
export const grantToRegister = (serviceScope: string): Grant =>
  grantOfPermission(clientPermissions.create, serviceScope);
