import { RequestBatcher } from './request-batcher';
import { prepared } from './prepared';
import { Transactions } from './transactions';

export interface ReadById {
  readonly alone: string;
  readonly together: string;
}

interface Place {
  /** Of the id among those that were asked for, from 1. */
  readonly askedAt: number;
}

/**
 * A query about one uuid, and the same about many. To be called while modules load.
 * @param about the query, by the expression that stands for the id.
 */
export function readById(about: (id: string) => string): ReadById {
  return {
    alone: prepared(about('$1')),
    // Id by id (OFFSET 0), since its plan is kept and outlives the few rows it was made for.
    together: prepared(
      `SELECT asked.at::int AS "askedAt", found.* FROM unnest($1::uuid[]) WITH ORDINALITY AS asked (id, at)
       CROSS JOIN LATERAL (SELECT * FROM (${about('asked.id')}) AS answer OFFSET 0) AS found`,
    ),
  };
}

/** Reads together what is asked for in one turn of the event loop; in a transaction, each by itself and there. */
export class BatchedLookup<Row extends object> {
  private readonly turn = new RequestBatcher<string, Row[]>({
    together: (ids) => this.readAll(ids),
    alone: (id) => this.readAlone(id),
  });

  constructor(
    private readonly transactions: Transactions,
    private readonly query: ReadById,
  ) {}

  rows(id: string): Promise<Row[]> {
    return this.transactions.isOpen ? this.readAlone(id) : this.turn.ask(id);
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
