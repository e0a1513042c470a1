import type { AccessToken, ClientCredentials, JWTStructured } from 'oidc-provider';
import { GRANT_CLAIM, sha256 } from '../../../platform/crypto';

/** Names the grant of a JWT access token by its digest: introspection checks whether the grant still exists. */
export function nameGrant(_ctx: unknown, token: AccessToken | ClientCredentials, { payload }: JWTStructured): void {
  if (token.kind === 'AccessToken') payload[GRANT_CLAIM] = sha256(token.grantId);
}
