import { Injectable } from '@nestjs/common';
import { EntityManager, EntityTarget } from 'typeorm';
import { Replicas, Transactions } from '../database';
import { Position } from './cursors.service';

/** An event in a log. */
export interface EventLogEntry {
  readonly id: string;
  readonly at: Date;
}

/** Filter of entries; an undefined member matches all. */
export type EventLogFilter<Entry extends EventLogEntry> = {
  readonly [Name in keyof Entry]?: Entry[Name] | undefined;
} & {
  /** Inclusive. */
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
  /** A condition on the alias `entry`. */
  readonly condition?: { readonly sql: string; readonly parameters: Readonly<Record<string, string>> } | undefined;
};

/** Position of an entry, by which all of these lists are ordered. */
export const placeOf = ({ at, id }: EventLogEntry): Position => [at.toISOString(), id];

/** Reads event logs, newest first. Takes the entity as a parameter, so it has no `Repository<T>`. */
@Injectable()
export class EventLogRepository {
  constructor(
    private readonly transactions: Transactions,
    private readonly replicas: Replicas,
  ) {}

  /** Reads later pages from the database: a replica that lags behind the one of the first page would skip entries. */
  find<Entry extends EventLogEntry>(
    entity: EntityTarget<Entry>,
    { from, to, condition, ...members }: EventLogFilter<Entry>,
    after: Position | undefined,
    limit: number,
  ): Promise<Entry[]> {
    const read = (manager: EntityManager): Promise<Entry[]> => {
      const query = manager.createQueryBuilder(entity, 'entry');
      for (const [name, value] of Object.entries(members) as [string, unknown][]) {
        if (value !== undefined) query.andWhere(`entry.${name} = :${name}`, { [name]: value });
      }
      if (condition) query.andWhere(condition.sql, condition.parameters);
      if (from) query.andWhere('entry.at >= :from', { from });
      if (to) query.andWhere('entry.at < :to', { to });
      if (after) query.andWhere('(entry.at, entry.id) < (:at::timestamptz, :id::uuid)', { at: after[0], id: after[1] });
      return query.orderBy('entry.at', 'DESC').addOrderBy('entry.id', 'DESC').limit(limit).getMany();
    };
    return after ? read(this.transactions.manager) : this.replicas.read(read);
  }
}
