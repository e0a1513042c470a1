import { Injectable } from '@nestjs/common';
import { EntityManager, EntityTarget } from 'typeorm';
import { Replicas, Transactions } from '../database';
import { Position } from './cursors.service';

/** Something that happened once. */
export interface EventLogEntry {
  readonly id: string;
  readonly at: Date;
}

/** What entries must have; a member that is undefined asks for nothing. */
export type EventLogFilter<Entry extends EventLogEntry> = {
  readonly [Name in keyof Entry]?: Entry[Name] | undefined;
} & {
  /** The first moment that counts. */
  readonly from?: Date | undefined;
  /** The first that no longer does. */
  readonly to?: Date | undefined;
};

/** The place of an entry in every list here. */
export const placeOf = ({ at, id }: EventLogEntry): Position => [at.toISOString(), id];

/** Reads tables of what happened, newest first. */
@Injectable()
export class EventLogRepository {
  constructor(
    private readonly transactions: Transactions,
    private readonly replicas: Replicas,
  ) {}

  /**
   * What follows a stretch comes from the database itself: from a replica further behind than the one that gave the
   * first, it would leave a hole in the middle.
   */
  find<Entry extends EventLogEntry>(
    entity: EntityTarget<Entry>,
    { from, to, ...members }: EventLogFilter<Entry>,
    after: Position | undefined,
    limit: number,
  ): Promise<Entry[]> {
    const read = (manager: EntityManager): Promise<Entry[]> => {
      const query = manager.createQueryBuilder(entity, 'entry');
      for (const [name, value] of Object.entries(members) as [string, unknown][]) {
        if (value !== undefined) query.andWhere(`entry.${name} = :${name}`, { [name]: value });
      }
      if (from) query.andWhere('entry.at >= :from', { from });
      if (to) query.andWhere('entry.at < :to', { to });
      if (after) query.andWhere('(entry.at, entry.id) < (:at::timestamptz, :id::uuid)', { at: after[0], id: after[1] });
      return query.orderBy('entry.at', 'DESC').addOrderBy('entry.id', 'DESC').limit(limit).getMany();
    };
    return after ? read(this.transactions.manager) : this.replicas.read(read);
  }
}
