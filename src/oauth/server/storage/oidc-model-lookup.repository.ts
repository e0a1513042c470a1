import type { AdapterPayload } from 'oidc-provider';
import { preparedStatement, RequestBatcher, Transactions } from '../../../platform/database';

export interface StoredOidcModel {
  readonly payload: AdapterPayload;
  /** By the database's clock. */
  readonly secondsLeft: number;
  /** Seconds since it was consumed. null: not consumed. */
  readonly consumedSeconds: number | null;
}

interface Asked {
  readonly model: string;
  /** A digest. */
  readonly id: string;
}

interface Place {
  /** Position in the parameters, from 1. */
  readonly askedAt: number;
}

const COLUMNS = `payload, extract(epoch FROM expires_at - now())::float8 AS "secondsLeft",
  extract(epoch FROM now() - consumed_at)::float8 AS "consumedSeconds"`;

/**
 * Grants of a user who may not log in, or of an ended session, are invalid, even if their rows still exist. Scalar
 * subqueries, because the kept plan of EXISTS may scan a table that was empty when it was made.
 */
export const IS_VALID = `expires_at > now()
  AND (user_id IS NULL OR (SELECT status FROM user_account WHERE id = artifact.user_id) = 'active')
  AND (SELECT revoked_at FROM session WHERE id = artifact.session_id) IS NULL`;

const found = (model: string, id: string): string =>
  `SELECT ${COLUMNS} FROM oauth_artifact AS artifact WHERE model = ${model} AND id = ${id} AND ${IS_VALID}`;

/** Prepared, because requests to the token endpoint, userinfo and introspection run them. */
const ALONE = preparedStatement(found('$1', '$2'));
// OFFSET 0 forces one lookup for each row: the plan is cached and must still fit when the table has grown.
const TOGETHER = preparedStatement(
  `SELECT asked.at::int AS "askedAt", found.*
   FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (model, id, at)
   CROSS JOIN LATERAL (${found('asked.model', 'asked.id')} OFFSET 0) AS found`,
);

/**
 * Finds the library's models. Those of one turn of the event loop share a statement: an introspection looks for three
 * kinds of token at once, and requests arrive together. In a transaction, each is read alone, on its connection.
 */
export class OidcModelLookup {
  private readonly batcher = new RequestBatcher<Asked, StoredOidcModel[]>({
    together: (asked) => this.findAll(asked),
    alone: (asked) => this.findAlone(asked),
  });

  constructor(private readonly transactions: Transactions) {}

  async find(model: string, id: string): Promise<StoredOidcModel | undefined> {
    const asked = { model, id };
    const rows = await (this.transactions.isOpen ? this.findAlone(asked) : this.batcher.ask(asked));
    return rows[0];
  }

  private async findAll(asked: readonly Asked[]): Promise<StoredOidcModel[][]> {
    const answers: StoredOidcModel[][] = asked.map(() => []);
    const parameters = [asked.map(({ model }) => model), asked.map(({ id }) => id)];
    for (const { askedAt, ...row } of await this.transactions.rows<StoredOidcModel & Place>(TOGETHER, parameters)) {
      answers[askedAt - 1]?.push(row);
    }
    return answers;
  }

  private findAlone({ model, id }: Asked): Promise<StoredOidcModel[]> {
    return this.transactions.rows<StoredOidcModel>(ALONE, [model, id]);
  }
}
