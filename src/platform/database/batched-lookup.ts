import { RequestBatcher } from './request-batcher';
import { preparedStatement } from './prepared-statement';
import { Transactions } from './transactions';

export interface ReadById {
  readonly alone: string;
  readonly together: string;
}

interface Place {
  /** Position of the id in the parameter, from 1. */
  readonly askedAt: number;
}

/**
 * A query for one uuid and the same query for many. Call it while modules load.
 * @param about builds the query from the SQL expression of the id.
 */
export function readById(about: (id: string) => string): ReadById {
  return {
    alone: preparedStatement(about('$1')),
    // OFFSET 0 forces one lookup per id: the plan is cached and must still fit when the tables have grown.
    together: preparedStatement(
      `SELECT asked.at::int AS "askedAt", found.* FROM unnest($1::uuid[]) WITH ORDINALITY AS asked (id, at)
       CROSS JOIN LATERAL (SELECT * FROM (${about('asked.id')}) AS answer OFFSET 0) AS found`,
    ),
  };
}

/** Batches the lookups of one tick of the event loop. In a transaction, each lookup runs alone, on its connection. */
export class BatchedLookup<Row extends object> {
  private readonly batcher = new RequestBatcher<string, Row[]>({
    together: (ids) => this.readAll(ids),
    alone: (id) => this.readAlone(id),
  });

  constructor(
    private readonly transactions: Transactions,
    private readonly query: ReadById,
  ) {}

  rows(id: string): Promise<Row[]> {
    return this.transactions.isOpen ? this.readAlone(id) : this.batcher.ask(id);
  }

  private async readAll(ids: readonly string[]): Promise<Row[][]> {
    const found: Row[][] = ids.map(() => []);
    for (const { askedAt, ...row } of await this.transactions.rows<Row & Place>(this.query.together, [ids])) {
      found[askedAt - 1]?.push(row as unknown as Row);
    }
    return found;
  }

  private readAlone(id: string): Promise<Row[]> {
    return this.transactions.rows<Row>(this.query.alone, [id]);
  }
}
