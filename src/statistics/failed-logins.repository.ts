import { Injectable } from '@nestjs/common';
import { Replicas } from '../platform/database';

/** An account or an address with its failed logins. */
export interface Failing {
  readonly kind: 'account' | 'address';
  /** The id of the account, or the address. */
  readonly id: string;
  /** The last username of the account, or the address. */
  readonly name: string;
  readonly failures: number;
}

/** What the newest failed logins have in common. Raw SQL for two aggregates of one read along the index of failures. */
const FAILING = `
  WITH newest AS MATERIALIZED (
    SELECT target_id, target_label, ip FROM audit_event
    WHERE outcome = 'failure' AND action = 'login' AND at > now() - make_interval(days => $1)
    ORDER BY at DESC, id DESC LIMIT $2
  )
  (SELECT 'account' AS kind, target_id AS id, max(target_label) AS name, count(*)::int AS failures
   FROM newest WHERE target_id IS NOT NULL GROUP BY target_id ORDER BY failures DESC, id LIMIT $3)
  UNION ALL
  (SELECT 'address', ip, ip, count(*)::int AS failures
   FROM newest WHERE ip IS NOT NULL GROUP BY ip ORDER BY failures DESC, ip LIMIT $3)
  UNION ALL
  SELECT 'all', '', '', count(*)::int FROM newest`;

@Injectable()
export class FailedLoginsRepository {
  constructor(private readonly replicas: Replicas) {}

  /**
   * Of the newest `limit` failed logins in the last days: the `top` accounts and addresses with most of them, and how
   * many they are.
   */
  async find(days: number, limit: number, top: number): Promise<{ failing: readonly Failing[]; examined: number }> {
    const rows = await this.replicas.read((manager) =>
      manager.query<(Omit<Failing, 'kind'> & { kind: Failing['kind'] | 'all' })[]>(FAILING, [days, limit, top]),
    );
    return {
      failing: rows.filter((row): row is Failing => row.kind !== 'all'),
      examined: rows.find(({ kind }) => kind === 'all')?.failures ?? 0,
    };
  }
}
