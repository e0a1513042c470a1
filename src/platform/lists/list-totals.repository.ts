import { Injectable } from '@nestjs/common';
import { Transactions } from '../database';
import { Total } from './page';

/** Up to here totals are counted; counting more would cost every look at a long list the whole of it. */
export const EXACT_TOTAL = 10_000;

interface Plan {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: { readonly 'Plan Rows': number } }];
}

@Injectable()
export class ListTotals {
  constructor(private readonly transactions: Transactions) {}

  /**
   * @param select a constant `SELECT … FROM … WHERE …`, whose values are parameters.
   * @param estimated the same rows in a form the planner knows more of, with the same parameters.
   */
  async count(select: string, parameters: unknown[] = [], estimated = select): Promise<Total> {
    const [counted] = await this.transactions.manager.query<{ total: number }[]>(
      `SELECT count(*)::int AS total FROM (${select} LIMIT ${EXACT_TOTAL + 1}) AS counted`,
      parameters,
    );
    const total = counted?.total ?? 0;
    if (total <= EXACT_TOTAL) return { total, isEstimate: false };
    return { total: await this.estimate(estimated, parameters), isEstimate: true };
  }

  /** What the planner expects of the whole list. */
  private async estimate(select: string, parameters: unknown[]): Promise<number> {
    const rows = await this.transactions.manager.query<Plan[]>(`EXPLAIN (FORMAT JSON) ${select}`, parameters);
    return Math.max(EXACT_TOTAL + 1, Math.round(rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0));
  }
}
