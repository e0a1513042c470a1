import { Injectable } from '@nestjs/common';
import { constantTimeEqual, sha256 } from '../../../platform/crypto';
import { DatabaseClock } from '../../../platform/database';
import { ClientCache } from './client.cache';
import { OAuthClient } from './client.entity';

/** Verifies the secrets with which clients authenticate (RFC 6749 §2.3.1). */
@Injectable()
export class ClientSecretsService {
  constructor(
    private readonly clients: ClientCache,
    private readonly clock: DatabaseClock,
  ) {}

  /** Also accepts the previous secret during its overlap. */
  async verify(clientId: string, secret: string): Promise<boolean> {
    const client = await this.clients.get(clientId);
    const digest = sha256(secret);
    return (
      client !== undefined && secretHashes(client, this.clock.now()).some((hash) => constantTimeEqual(hash, digest))
    );
  }
}

function secretHashes({ secretHash, previousSecretHash, previousSecretUntil }: OAuthClient, now: number): string[] {
  const isPreviousValid = previousSecretUntil !== null && previousSecretUntil.getTime() > now;
  return [secretHash, isPreviousValid ? previousSecretHash : null].filter((hash) => hash !== null);
}
