import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { EntityManager } from 'typeorm';
import { Replicas } from '../database';
import { Total } from './page';

/** Largest exact total; counting further would scan the whole list on every request. */
export const EXACT_TOTAL = 10_000;
/** How long an estimate is cached; the planner's statistics change more slowly. */
const ESTIMATE_MS = 60_000;
const MAX_ESTIMATES = 1_000;

interface Plan {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: { readonly 'Plan Rows': number } }];
}

/** Counts the rows of arbitrary statements and runs EXPLAIN on them, which needs raw SQL. */
@Injectable()
export class CountEstimateRepository {
  /** Estimates of long lists; exact totals are counted each time. */
  private readonly estimates = new LRUCache<string, { total: number; from: number }>({ max: MAX_ESTIMATES });

  constructor(private readonly replicas: Replicas) {}

  /**
   * @param select a constant `SELECT … FROM … WHERE …` with its values as parameters.
   * @param estimated the statement that the planner estimates for long lists.
   */
  count(select: string, parameters: unknown[] = [], estimated = select): Promise<Total> {
    return this.replicas.read((manager) => this.countWith(manager, select, parameters, estimated));
  }

  /**
   * As `count`, for display only: caches an estimate for a minute, so that paging through a long list counts it once.
   */
  async about(select: string, parameters: unknown[] = [], estimated = select): Promise<Total> {
    const list = JSON.stringify([select, parameters]);
    const remembered = this.estimates.get(list);
    if (remembered && performance.now() - remembered.from < ESTIMATE_MS) {
      return { total: remembered.total, isEstimate: true };
    }
    const { total, isEstimate } = await this.count(select, parameters, estimated);
    if (isEstimate) this.estimates.set(list, { total, from: performance.now() });
    return { total, isEstimate };
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

  /** Returns the planner's estimate of the rows. */
  private async estimate(manager: EntityManager, select: string, parameters: unknown[]): Promise<number> {
    const rows = await manager.query<Plan[]>(`EXPLAIN (FORMAT JSON) ${select}`, parameters);
    return Math.max(EXACT_TOTAL + 1, Math.round(rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0));
  }
}
