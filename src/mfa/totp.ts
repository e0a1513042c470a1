import { generateSecret, generateURI, verifySync } from 'otplib';
import { codeAsMade } from '../platform/text';

const PERIOD_SECONDS = 30;
const CODE = /^\d{6}$/;

/** A new secret of 160 bits in base32, as RFC 4226 §4 recommends. */
export function newTotpSecret(): string {
  return generateSecret();
}

/** What an authenticator app reads from a picture, where a colon parts the service from the user. */
export function totpUri(secret: string, service: string, username: string): string {
  return generateURI({ secret, issuer: service.replaceAll(':', ''), label: username });
}

/**
 * The time step of the typed code, the current one or a neighbour (RFC 6238 §5.2); undefined: a wrong code. The storage
 * ensures that a step is used once.
 */
export function totpStep(secret: string, typed: string, nowMs: number): number | undefined {
  const code = codeAsMade(typed);
  if (!CODE.test(code)) return undefined;
  const epoch = Math.floor(nowMs / 1_000);
  const result = verifySync({ secret, token: code, epoch, epochTolerance: PERIOD_SECONDS });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}
