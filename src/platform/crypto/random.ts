import { createHash, randomBytes, randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import { NIL, v7 } from 'uuid';

/** The nil UUID (RFC 9562 §5.9): every other comes after it. */
export const FIRST_ID: string = NIL;

/** 32 letters and digits that are hard to take for one another (no 0, 1, l, o): five bits each. */
const READABLE = 'abcdefghijkmnpqrstuvwxyz23456789';
const READABLE_GROUPS = 7;
const READABLE_GROUP_LENGTH = 4;

/** A new id: UUID v7 (RFC 9562 §5.7) in lower case, ascending within one process. Not a secret: it tells its time. */
export function newId(): string {
  return v7();
}

let stampedAt = NaN;
let stamp = '';

/** What ids of one millisecond begin with; a busy service makes several in one. */
function stampOf(milliseconds: number): string {
  if (milliseconds === stampedAt) return stamp;
  const time = milliseconds.toString(16).padStart(12, '0');
  stampedAt = milliseconds;
  stamp = `${time.slice(0, 8)}-${time.slice(8)}-7`;
  return stamp;
}

/** As `newId`, in no order within a millisecond, and a fifth of its price: every request has one. */
export function newRequestId(): string {
  // The variant and the random bits stand where those of version 4 do.
  return stampOf(Date.now()) + randomUUID().slice(15);
}

/** An unguessable token in base64url; 32 bytes (256 bits, 43 characters) unless told. Throws RangeError under 16 bytes. */
export function randomToken(bytes = 32): string {
  if (!Number.isInteger(bytes) || bytes < 16) throw new RangeError('A token has at least 16 random bytes');
  return randomBytes(bytes).toString('base64url');
}

/** `length` decimal digits, each of the 10^length texts equally likely, leading zeros kept. Throws RangeError outside 1–64. */
export function randomDigits(length: number): string {
  if (!Number.isInteger(length) || length < 1 || length > 64) throw new RangeError('A code has 1 to 64 digits');
  return Array.from({ length }, () => randomInt(10)).join('');
}

/** A password of 140 bits a person can read and type: seven groups of four, joined by `-`. */
export function randomPassword(): string {
  return randomReadable(READABLE_GROUPS);
}

/** As `randomPassword`, with another number of groups of twenty bits. */
export function randomReadable(groups: number): string {
  const group = (): string =>
    Array.from({ length: READABLE_GROUP_LENGTH }, () => READABLE.charAt(randomInt(READABLE.length))).join('');
  return Array.from({ length: groups }, group).join('-');
}

/** SHA-256 in base64url (43 characters): for storing tokens of high entropy and for cache keys, never for passwords or codes. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('base64url');
}

/** Whether two texts are equal, in a time that tells neither where nor in length they differ. */
export function constantTimeEqual(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();
  return timingSafeEqual(digest(a), digest(b));
}
