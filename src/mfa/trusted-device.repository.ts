import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, FindOptionsWhere, Raw, Repository } from 'typeorm';
import { CASTELLAN, Transactions } from '../platform/database';
import { TrustedDevice } from './mfa.entities';

export type NewTrustedDevice = Omit<TrustedDevice, 'createdAt' | 'lastUsedAt'>;

/** The user, password version and maximum age that a trust must match. */
export interface TrustQuestion {
  readonly userId: string;
  readonly passwordVersion: number;
  readonly days: number;
}

/** Also the limit of the list, because users cannot end a trust that the list omits. */
const MAX_DEVICES = 100;

const trusted = ({ userId, passwordVersion, days }: TrustQuestion): FindOptionsWhere<TrustedDevice> => ({
  userId,
  passwordVersion,
  createdAt: Raw((column) => `${column} > now() - make_interval(days => :days)`, { days }),
});

@Injectable()
export class TrustedDeviceRepository {
  constructor(
    @InjectRepository(TrustedDevice, CASTELLAN) private readonly devices: Repository<TrustedDevice>,
    private readonly transactions: Transactions,
  ) {}

  /** Deletes the user's oldest devices beyond the limit. Raw SQL for OFFSET in a subquery of the deletion. */
  async insert(device: NewTrustedDevice): Promise<void> {
    await this.devices.insert(device);
    await this.transactions.manager.query(
      `DELETE FROM mfa_trusted_device WHERE id IN (
         SELECT id FROM mfa_trusted_device WHERE user_id = $1 ORDER BY id DESC OFFSET ${MAX_DEVICES})`,
      [device.userId],
    );
  }

  /** Whether the user trusts one of the tokens. Records its use. */
  async use(hashes: readonly string[], question: TrustQuestion): Promise<boolean> {
    const { affected } = await this.devices.update(
      { ...trusted(question), tokenHash: Any(hashes) },
      { lastUsedAt: () => 'now()' },
    );
    return (affected ?? 0) > 0;
  }

  /** Effective trusts, newest first. */
  list(question: TrustQuestion): Promise<TrustedDevice[]> {
    return this.devices.find({ where: trusted(question), order: { id: 'DESC' }, take: MAX_DEVICES });
  }

  async delete(userId: string, id: string): Promise<boolean> {
    const { affected } = await this.devices.delete({ userId, id });
    return affected === 1;
  }

  async deleteAll(userId: string): Promise<number> {
    const { affected } = await this.devices.delete({ userId });
    return affected ?? 0;
  }

  /**
   * Deletes up to `limit` devices that are older than any setting allows. Raw SQL for a batch that skips locked rows.
   */
  async deleteOld(days: number, limit: number): Promise<number> {
    const rows = await this.transactions.rows(
      `DELETE FROM mfa_trusted_device WHERE id IN (
         SELECT id FROM mfa_trusted_device WHERE created_at < now() - make_interval(days => $1::int)
         LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING id`,
      [days, limit],
    );
    return rows.length;
  }
}
