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
 * A query for one id and the same query for many. Call it while modules load.
 * @param about builds the query from the SQL expression of the id.
 */
export const readById = (about: (id: string) => string, type: IdType = 'uuid'): ReadById =>
  readByIds([type], ([id = '']) => about(id));

/** Same as `readById`, for pairs of uuids. */
export const readByPair = (about: (first: string, second: string) => string): ReadById =>
  readByIds(['uuid', 'uuid'], ([first = '', second = '']) => about(first, second));

type IdType = 'uuid' | 'text';

function readByIds(types: readonly IdType[], about: (ids: readonly string[]) => string): ReadById {
  const numbers = types.map((_, index) => index + 1);
  const lists = types.map((type, index) => `$${index + 1}::${type}[]`).join(', ');
  const names = numbers.map((number) => `id_${number}`);
  return {
    alone: preparedStatement(about(numbers.map((number) => `$${number}`))),
    // OFFSET 0 forces one lookup per id: the plan is cached and must still fit when the tables have grown.
    together: preparedStatement(
      `SELECT asked.at::int AS "askedAt", found.* FROM unnest(${lists}) WITH ORDINALITY AS asked (${names.join(', ')}, at)
       CROSS JOIN LATERAL (SELECT * FROM (${about(names.map((name) => `asked.${name}`))}) AS answer OFFSET 0) AS found`,
    ),
  };
}

/** Batches the lookups of one tick of the event loop. In a transaction, each lookup runs alone, on its connection. */
export class BatchedLookup<Row extends object> {
  private readonly batcher = new RequestBatcher<readonly string[], Row[]>({
    together: (asks) => this.readAll(asks),
    alone: (ids) => this.readAlone(ids),
  });

  constructor(
    private readonly transactions: Transactions,
    private readonly query: ReadById,
  ) {}

  /** @param ids one, or two for a query by pair */
  rows(...ids: readonly [string, string?]): Promise<Row[]> {
    const asked = ids.filter((id) => id !== undefined);
    return this.transactions.isOpen ? this.readAlone(asked) : this.batcher.ask(asked);
  }

  private async readAll(asks: readonly (readonly string[])[]): Promise<Row[][]> {
    const found: Row[][] = asks.map(() => []);
    const lists = (asks[0] ?? []).map((_, position) => asks.map((ids) => ids[position]));
    for (const { askedAt, ...row } of await this.transactions.rows<Row & Place>(this.query.together, lists)) {
      found[askedAt - 1]?.push(row as unknown as Row);
    }
    return found;
  }

  private readAlone(ids: readonly string[]): Promise<Row[]> {
    return this.transactions.rows<Row>(this.query.alone, ids);
  }
}
