import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit';
import { KeyKind, SigningKeysService } from './keys/signing-keys.service';
import { Transactions } from '../platform/database';
import { signingKeyActs } from './store/session.acts';

/** A published key. */
export interface RotatedKey extends KeyKind {
  readonly kid: string;
}

/** Rotates signing keys and retires them when no valid token uses them any more. */
@Injectable()
export class KeyRotationService {
  constructor(
    private readonly keys: SigningKeysService,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
  ) {}

  /** Rotates every kind of key in use, for sessions and OAuth clients. Sessions and tokens stay valid. */
  async rotateAll(): Promise<RotatedKey[]> {
    const kinds = new Map<string, KeyKind>();
    for (const { usage, algorithm } of await this.keys.list()) {
      kinds.set(`${usage}|${algorithm}`, { usage, algorithm });
    }
    return this.rotate([...kinds.values()]);
  }

  /** Publishes the next key of each kind. It starts to sign a minute later. */
  async rotate(kinds: readonly KeyKind[]): Promise<RotatedKey[]> {
    const next = await Promise.all(kinds.map(async (kind) => ({ kind, key: await this.keys.next(kind) })));
    return this.transactions.run(async () => {
      for (const { kind, key } of next) {
        await key.publish();
        await this.recordRotation(key.kid, kind);
      }
      return next.map(({ kind, key }) => ({ ...kind, kid: key.kid }));
    });
  }

  /** Publishes the successor of this key. Every instance calls it, and only the first call publishes. */
  async follow({ kid, usage, algorithm }: RotatedKey): Promise<void> {
    const kind = { usage, algorithm };
    const next = await this.keys.next(kind);
    await this.transactions.run(async () => {
      if (await next.publishAfter(kid)) await this.recordRotation(next.kid, kind);
    });
  }

  /** Every instance calls it, and only the first call retires the key. */
  async retire(kid: string): Promise<void> {
    await this.transactions.run(async () => {
      if (!(await this.keys.retire(kid))) return;
      await this.audit.record(signingKeyActs.retire, { target: { type: 'signing_key', id: kid } });
    });
  }

  private async recordRotation(kid: string, kind: KeyKind): Promise<void> {
    const target = { type: 'signing_key', id: kid };
    await this.audit.record(signingKeyActs.rotate, { target, after: { ...kind } });
  }
}
