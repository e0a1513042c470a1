import { Injectable } from '@nestjs/common';
import { hmacSha256, randomToken, SecretBox } from '../../platform/crypto';
import { presentMembers } from '../../platform/util';
import { Webhook } from './webhook.entity';

export type WebhookHeaders = Readonly<Record<string, string>>;

const PREFIX = 'whsec_';

type Field = 'secret' | 'headers';
export type SealedColumns = Record<'secret' | 'formerSecret' | 'headers', string>;

const contextOf = (id: string, field: Field): string => `webhook|${id}|${field}`;

/** Seals the secrets and headers of webhooks for their row, and signs deliveries (Standard Webhooks). */
@Injectable()
export class WebhookSecretsService {
  constructor(private readonly box: SecretBox) {}

  /** `whsec_` and the base64 of 32 random bytes. */
  create(): string {
    return PREFIX + Buffer.from(randomToken(), 'base64url').toString('base64');
  }

  sealSecret(id: string, secret: string): string {
    return this.box.seal(secret, contextOf(id, 'secret'));
  }

  sealHeaders(id: string, headers: WebhookHeaders): string {
    return this.box.seal(JSON.stringify(headers), contextOf(id, 'headers'));
  }

  /** Errors: `SecretBoxError`. */
  openHeaders({ id, headers }: Pick<Webhook, 'id' | 'headers'>): WebhookHeaders {
    return JSON.parse(this.box.open(headers, contextOf(id, 'headers'))) as WebhookHeaders;
  }

  /** Undefined if they cannot be decrypted. */
  openHeadersIfPossible({ id, headers }: Pick<Webhook, 'id' | 'headers'>): WebhookHeaders | undefined {
    const opened = this.box.openIfPossible(headers, contextOf(id, 'headers'));
    return opened === undefined ? undefined : (JSON.parse(opened) as WebhookHeaders);
  }

  /** The sealed values that the first key should encrypt, encrypted with it. Skips those that cannot be decrypted. */
  renew({ id, secret, formerSecret, headers }: Webhook): Partial<SealedColumns> {
    const fresh = {
      secret: this.renewed(secret, contextOf(id, 'secret')),
      formerSecret: formerSecret === null ? undefined : this.renewed(formerSecret, contextOf(id, 'secret')),
      headers: this.renewed(headers, contextOf(id, 'headers')),
    };
    return presentMembers(fresh);
  }

  private renewed(sealed: string, context: string): string | undefined {
    if (!this.box.needsReseal(sealed)) return undefined;
    const plaintext = this.box.openIfPossible(sealed, context);
    return plaintext === undefined ? undefined : this.box.seal(plaintext, context);
  }

  /**
   * The headers of a delivery: its id, time and signatures, one for each valid secret.
   * @param at the time of the attempt. Receivers reject one that is minutes old, so that it cannot be replayed.
   * Errors: `SecretBoxError`.
   */
  sign(webhook: Webhook, id: string, at: Date, payload: string): Record<string, string> {
    const timestamp = String(Math.floor(at.getTime() / 1_000));
    const signatures = this.validSecrets(webhook, at).map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
      return `v1,${hmacSha256(key, `${id}.${timestamp}.${payload}`).toString('base64')}`;
    });
    return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
  }

  private validSecrets({ id, secret, formerSecret, formerSecretUntil }: Webhook, at: Date): string[] {
    const isFormerValid = formerSecret !== null && formerSecretUntil !== null && formerSecretUntil > at;
    const sealed = isFormerValid ? [secret, formerSecret] : [secret];
    return sealed.map((each) => this.box.open(each, contextOf(id, 'secret')));
  }
}
