import { Injectable, OnModuleInit } from '@nestjs/common';
import { KeyAlgorithm } from '../../platform/crypto';
import { KeyReport, SigningKeysService, KeyRotationService } from '../../session';
import { DatabaseClock } from '../../platform/database';
import { Scheduler } from '../../platform/jobs';

const HOUR_MS = 3_600_000;
const EVERY_SECONDS = 3_600;
const ROTATED_AFTER_MS = 90 * 24 * HOUR_MS;
/** Longer than the lifetime of anything signed with a superseded key. */
const KEPT_MS = 24 * HOUR_MS;
const ALGORITHMS: readonly KeyAlgorithm[] = ['RS256', 'ES256'];

/**
 * Rotates the signing keys for OAuth clients after 90 days, and deletes keys when nothing that they signed is valid any
 * more.
 */
@Injectable()
export class OAuthKeysService implements OnModuleInit {
  constructor(
    private readonly keys: SigningKeysService,
    private readonly rotation: KeyRotationService,
    private readonly clock: DatabaseClock,
    private readonly jobs: Scheduler,
  ) {}

  onModuleInit(): void {
    this.jobs.every(EVERY_SECONDS, { name: 'OAuth signing keys', run: () => this.maintain() });
  }

  /** @param aheadMs simulates that this time has passed. */
  async maintain(aheadMs = 0): Promise<void> {
    const keys = (await this.keys.list()).filter(({ usage }) => usage === 'oauth');
    const now = this.clock.now() + aheadMs;
    for (const algorithm of ALGORITHMS) {
      const kind = keys.filter((key) => key.algorithm === algorithm);
      await this.follow(kind, now);
      await this.retireSuperseded(kind, now);
    }
  }

  private async follow([newest]: readonly KeyReport[], now: number): Promise<void> {
    if (!newest || now - newest.signsFrom.getTime() <= ROTATED_AFTER_MS) return;
    await this.rotation.follow(newest);
  }

  private async retireSuperseded(kind: readonly KeyReport[], now: number): Promise<void> {
    for (const [position, { kid, state }] of kind.entries()) {
      const successor = kind[position - 1];
      if (state !== 'verifying' || !successor || now - successor.signsFrom.getTime() < KEPT_MS) continue;
      await this.rotation.retire(kid);
    }
  }
}
