import { randomToken } from '../platform/crypto';

const SEED_BYTES = 16;

/** The avatar of a new user: an own path whose seed is drawn by chance, so that it says nothing about its owner. */
export function avatarPath(): string {
  return `/api/avatar/${randomToken(SEED_BYTES)}.svg`;
}
