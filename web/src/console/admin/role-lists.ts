import { forgetLists } from '../query-client';

/** Begins the key of every list of roles. */
const rolesKey = ['get', '/api/role'];
export const reloadRoles = (): Promise<void> => forgetLists(rolesKey);
