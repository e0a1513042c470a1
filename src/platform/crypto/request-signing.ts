import { createHash, createHmac } from 'node:crypto';

/** HMAC-SHA-256, as the signatures of other services' APIs are made with; our own digests come from `SecretBox.mac`. */
export function hmacSha256(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text, 'utf8').digest();
}

/** SHA-256 in lower-case hexadecimal, as such signatures want it. */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
