import { Injectable } from '@nestjs/common';
import { Replicas } from '../../platform/database';

/** An account or an address with its failed logins. */
export interface Failing {
  readonly kind: 'account' | 'address';
  /** The id of the account, or the address. */
  readonly id: string;
  /** The last username of the account, or the address. */
  readonly name: string;
  readonly failures: number;
}

/**
 * What the newest failed logins have in common. The inner LIMIT bounds what is read along the index of failures, however
 * few of them are logins. Raw SQL for two aggregates of one read.
 */
const FAILING = `
  WITH newest AS MATERIALIZED (
    SELECT at, action, target_id, target_label, ip FROM audit_event
    WHERE outcome = 'failure' AND at > now() - make_interval(days => $1)
    ORDER BY at DESC, id DESC LIMIT $2
  ), login AS (SELECT * FROM newest WHERE action = 'login')
  (SELECT 'account' AS kind, target_id AS id, (array_agg(target_label ORDER BY at DESC))[1] AS name,
     count(*)::int AS failures
   FROM login WHERE target_id IS NOT NULL GROUP BY target_id ORDER BY failures DESC, id LIMIT $3)
  UNION ALL
  (SELECT 'address', ip, ip, count(*)::int AS failures
   FROM login WHERE ip IS NOT NULL GROUP BY ip ORDER BY failures DESC, ip LIMIT $3)
  UNION ALL
  SELECT 'logins', '', '', count(*)::int FROM login
  UNION ALL
  SELECT 'read', '', '', count(*)::int FROM newest`;

export interface FailedLoginsFound {
  readonly failing: readonly Failing[];
  /** Failed logins among the failures that were read. */
  readonly logins: number;
  /** Failures of all kinds that were read. */
  readonly read: number;
}

type FoundRow = Omit<Failing, 'kind'> & { readonly kind: Failing['kind'] | 'logins' | 'read' };

const isFailing = (row: FoundRow): row is Failing => row.kind === 'account' || row.kind === 'address';

@Injectable()
export class FailedLoginsRepository {
  constructor(private readonly replicas: Replicas) {}

  /** Of the logins among the newest `limit` failures in the last days: the `top` accounts and addresses with most. */
  async find(days: number, limit: number, top: number): Promise<FailedLoginsFound> {
    const rows = await this.replicas.read((manager) => manager.query<FoundRow[]>(FAILING, [days, limit, top]));
    const countOf = (kind: FoundRow['kind']): number => rows.find((row) => row.kind === kind)?.failures ?? 0;
    return { failing: rows.filter(isFailing), logins: countOf('logins'), read: countOf('read') };
  }
}
