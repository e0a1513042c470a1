import type { KeyObject } from 'node:crypto';
import { JWTPayload, SignJWT } from 'jose';

/** The claims of a Security Event Token (RFC 8417), besides `iat`. */
export interface SecurityEventClaims extends JWTPayload {
  readonly iss: string;
  readonly aud: string;
  readonly jti: string;
  readonly txn: string;
  /** RFC 9493. */
  readonly sub_id: Readonly<Record<string, unknown>>;
  readonly events: Readonly<Record<string, object>>;
}

/** Receivers of CAEP must support it, and no other. */
export const SECURITY_EVENT_ALGORITHM = 'RS256';
const TYPE = 'secevent+jwt';

/** Signs a Security Event Token. It has neither `exp` nor `sub`, so that it is never taken for an ID token (RFC 8417 §4.5). */
export function signSecurityEvent(
  claims: SecurityEventClaims,
  now: Date,
  { kid, privateKey }: { readonly kid: string; readonly privateKey: KeyObject },
): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: SECURITY_EVENT_ALGORITHM, typ: TYPE, kid })
    .setIssuedAt(Math.floor(now.getTime() / 1_000))
    .sign(privateKey);
}
