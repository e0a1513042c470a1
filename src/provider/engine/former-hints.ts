import { Injectable } from '@nestjs/common';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { SigningKeys, unverifiedIdToken } from '../../platform/crypto';

/**
 * An ID token is a hint at logout also when it has long expired (OpenID Connect RP-Initiated Logout 1.0 §2), so also when
 * its key has gone. Such a one proves nothing any more and says no more than `client_id` does: which application asks.
 */
@Injectable()
export class FormerHints {
  constructor(private readonly keys: SigningKeys) {}

  async replaceIn(ctx: KoaContextWithOIDC): Promise<void> {
    const { id_token_hint: token, ...others } = ctx.query;
    const hint = typeof token === 'string' ? unverifiedIdToken(token) : undefined;
    if (!hint || (await this.keys.findPublic('oauth', hint.kid))) return;
    const { client_id: named = hint.audience } = others;
    if (named === hint.audience) ctx.query = { ...others, client_id: hint.audience };
  }
}
