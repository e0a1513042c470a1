import { randomToken } from '../platform/crypto';

const SEED_BYTES = 16;

/** A path with a random seed for a new user, so that the avatar reveals nothing about the user. */
export function avatarPath(): string {
  return `/api/avatar/${randomToken(SEED_BYTES)}.svg`;
}
