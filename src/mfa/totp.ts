import { generateSecret, generateURI, ScureBase32Plugin, verifySync } from 'otplib';
import { codeAsMade } from '../platform/util';

const PERIOD_SECONDS = 30;
const CODE = /^\d{6}$/;

/** Generates a secret of 160 bits in base32, as RFC 4226 §4 recommends. */
export function newTotpSecret(): string {
  return generateSecret();
}

/** Encodes the bytes of a secret in base32 (RFC 4648), without padding. */
export function totpSecretOf(bytes: Uint8Array): string {
  return new ScureBase32Plugin().encode(bytes, { padding: false });
}

/**
 * Whether codes of a secret in base32 can be verified: it has no padding and 16 to 64 bytes. RFC 4226 §4 requires the
 * 16.
 */
export function isUsableTotpSecret(secret: string): boolean {
  try {
    verifySync({ secret, token: '000000', epoch: 0 });
    return true;
  } catch {
    return false;
  }
}

/** The URI for a QR code. Removes colons from the service name, because a colon separates it from the user. */
export function totpUri(secret: string, service: string, username: string): string {
  return generateURI({ secret, issuer: service.replaceAll(':', ''), label: username });
}

/**
 * The time step of a typed code, the current one or a neighbour (RFC 6238 §5.2), or undefined for a wrong code. The
 * caller must ensure that a step is used only once.
 */
export function totpStep(secret: string, typed: string, nowMs: number): number | undefined {
  const code = codeAsMade(typed);
  if (!CODE.test(code)) return undefined;
  const epoch = Math.floor(nowMs / 1_000);
  const result = verifySync({ secret, token: code, epoch, epochTolerance: PERIOD_SECONDS });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}
