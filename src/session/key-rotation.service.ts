import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit';
import { KeyKind, SigningKeysService } from './keys/signing-keys.service';
import { Transactions } from '../platform/database';

/** A key that has been published. */
export interface RotatedKey extends KeyKind {
  readonly kid: string;
}

/** Lets keys follow each other, and go when nothing they signed is about. */
@Injectable()
export class KeyRotationService {
  constructor(
    private readonly keys: SigningKeysService,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
  ) {}

  /** Of every kind in use, sessions' and OAuth clients'; nobody is logged out, no token ends. */
  async rotateAll(): Promise<RotatedKey[]> {
    const kinds = new Map<string, KeyKind>();
    for (const { usage, algorithm } of await this.keys.list()) {
      kinds.set(`${usage}|${algorithm}`, { usage, algorithm });
    }
    return this.rotate([...kinds.values()]);
  }

  /** Publishes the next key of each kind; it signs a minute later. */
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

  /** Publishes the key after this one. Every instance comes to it; the first publishes. */
  async follow({ kid, usage, algorithm }: RotatedKey): Promise<void> {
    const kind = { usage, algorithm };
    const next = await this.keys.next(kind);
    await this.transactions.run(async () => {
      if (await next.publishAfter(kid)) await this.recordRotation(next.kid, kind);
    });
  }

  /** Every instance comes to it; the first retires it. */
  async retire(kid: string): Promise<void> {
    await this.transactions.run(async () => {
      if (!(await this.keys.retire(kid))) return;
      await this.audit.record({ action: 'signing_key.retire', target: { type: 'signing_key', id: kid } });
    });
  }

  private async recordRotation(kid: string, kind: KeyKind): Promise<void> {
    const target = { type: 'signing_key', id: kid };
    await this.audit.record({ action: 'signing_key.rotate', target, after: { ...kind } });
  }
}
