import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { Replicas } from '../database';
import { Total } from './page';

/** Up to here totals are counted; counting more would cost every look at a long list the whole of it. */
export const EXACT_TOTAL = 10_000;

interface Plan {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: { readonly 'Plan Rows': number } }];
}

@Injectable()
export class ListTotals {
  constructor(private readonly replicas: Replicas) {}

  /**
   * @param select a constant `SELECT … FROM … WHERE …`, whose values are parameters.
   * @param estimated the same rows in a form the planner knows more of, with the same parameters.
   */
  count(select: string, parameters: unknown[] = [], estimated = select): Promise<Total> {
    return this.replicas.read((manager) => this.countWith(manager, select, parameters, estimated));
  }

  private async countWith(
    manager: EntityManager,
    select: string,
    parameters: unknown[],
    estimated: string,
  ): Promise<Total> {
    const [counted] = await manager.query<{ total: number }[]>(
      `SELECT count(*)::int AS total FROM (${select} LIMIT ${EXACT_TOTAL + 1}) AS counted`,
      parameters,
    );
    const total = counted?.total ?? 0;
    if (total <= EXACT_TOTAL) return { total, isEstimate: false };
    return { total: await this.estimate(manager, estimated, parameters), isEstimate: true };
  }

  /** What the planner expects of the whole list. */
  private async estimate(manager: EntityManager, select: string, parameters: unknown[]): Promise<number> {
    const rows = await manager.query<Plan[]>(`EXPLAIN (FORMAT JSON) ${select}`, parameters);
    return Math.max(EXACT_TOTAL + 1, Math.round(rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0));
  }
}
