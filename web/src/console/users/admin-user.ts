import type { components } from '../../api/schema';

export type AdminUser = components['schemas']['AdminUserDto'];

/** Prefix of the query keys of all lists of users. */
export const usersKey = ['users'];
