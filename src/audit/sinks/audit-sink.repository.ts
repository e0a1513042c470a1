import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { AuditPosition } from '../log/audit-position.repository';
import type { AuditSinkKind } from './audit-sink.variables';
import { CASTELLAN, Transactions } from '../../platform/database';
import { AuditSink } from './audit-sink.entity';

export interface SinkLease {
  readonly name: AuditSinkKind;
  /** Id of this process. */
  readonly instance: string;
}

export interface LeasedSink extends AuditPosition {
  readonly failures: number;
  readonly rejections: number;
}

const TAKE = `UPDATE audit_sink SET leased_by = $2::uuid, leased_until = now() + make_interval(secs => $3::int)
  WHERE name = $1 AND next_at <= now() AND (leased_by = $2::uuid OR leased_until IS NULL OR leased_until < now())
    AND (position, position_id) < ($4::bigint, $5::uuid)
  RETURNING position::text, position_id AS id, failures, rejections`;

@Injectable()
export class AuditSinkRepository {
  constructor(
    @InjectRepository(AuditSink, CASTELLAN) private readonly sinks: Repository<AuditSink>,
    private readonly transactions: Transactions,
  ) {}

  /** Adds a sink that begins after the place, unless it exists. */
  async ensure(name: AuditSinkKind, { position, id }: AuditPosition): Promise<void> {
    const sink = { name, position, positionId: id };
    await this.sinks.createQueryBuilder().insert().values(sink).orIgnore().execute();
  }

  list(): Promise<AuditSink[]> {
    return this.sinks.find();
  }

  /**
   * Leases the sink, or renews the lease, if it has not reached the place; undefined if there is nothing to do, another
   * instance has the lease, or a pause has not ended. SQL: one statement decides by the clock of the database.
   */
  async take({ name, instance }: SinkLease, seconds: number, end: AuditPosition): Promise<LeasedSink | undefined> {
    return (await this.transactions.rows<LeasedSink>(TAKE, [name, instance, seconds, end.position, end.id]))[0];
  }

  /** Notes what was delivered. Does nothing if another instance has the lease. */
  async advance({ name, instance }: SinkLease, { position, id }: AuditPosition): Promise<void> {
    await this.sinks.update({ name, leasedBy: instance }, { position, positionId: id, failures: 0, rejections: 0 });
  }

  /**
   * Notes a failure, after which no instance sends for some seconds, and whether it was the rejection of one event. SQL: the
   * time is the database's.
   */
  async postpone({ name, instance }: SinkLease, seconds: number, isRejection: boolean): Promise<void> {
    await this.transactions.affected(
      `UPDATE audit_sink SET failures = failures + 1, next_at = now() + make_interval(secs => $3::float8),
         rejections = CASE WHEN $4::boolean THEN rejections + 1 ELSE 0 END
       WHERE name = $1 AND leased_by = $2::uuid`,
      [name, instance, seconds, isRejection],
    );
  }

  /** Lets another instance take the sink at once. */
  async release({ name, instance }: SinkLease): Promise<void> {
    await this.sinks.update({ name, leasedBy: instance }, { leasedBy: null, leasedUntil: null });
  }
}
