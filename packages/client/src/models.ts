import type { components } from './schema';

/** The logged-in user with all permissions: what `GET /api/auth/me` returns, for `can`. */
export type User = components['schemas']['UserInfoWithPermsDto'];

/** A session of the user on one device. */
export type Session = components['schemas']['SessionDto'];
