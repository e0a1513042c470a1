import { Injectable } from '@nestjs/common';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { SigningKeysService } from '../../../session';
import { unverifiedIdToken, UnverifiedIdToken } from '../../../platform/crypto';
import { ClientCache } from '../clients/client.cache';

/**
 * Accepts an expired ID token as a hint for a logout (OpenID Connect RP-Initiated Logout 1.0 §2), even if its signing
 * key was deleted or the client now uses another algorithm. A token that cannot be verified only names the client, as
 * `client_id` does.
 */
@Injectable()
export class ExpiredIdTokenHintService {
  constructor(
    private readonly keys: SigningKeysService,
    private readonly clients: ClientCache,
  ) {}

  async replaceIn(ctx: KoaContextWithOIDC): Promise<void> {
    const { id_token_hint: token, ...others } = ctx.query;
    const hint = typeof token === 'string' ? unverifiedIdToken(token) : undefined;
    if (!hint || (await this.isVerifiable(hint))) return;
    const { client_id: named = hint.audience } = others;
    if (named === hint.audience) ctx.query = { ...others, client_id: hint.audience };
  }

  private async isVerifiable({ kid, algorithm, audience }: UnverifiedIdToken): Promise<boolean> {
    const client = await this.clients.get(audience);
    if (client && client.idTokenSignedResponseAlg !== algorithm) return false;
    return (await this.keys.findPublic('oauth', kid)) !== undefined;
  }
}
