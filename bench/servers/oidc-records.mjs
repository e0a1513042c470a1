/* The stores of the oidc-provider server: a table in PostgreSQL, and memory as the limit of what any store can reach. */
import pg from 'pg';

const statements = {
  upsert: `INSERT INTO oidc_record VALUES ($1, $2, $3, $4, now() + $5 * interval '1 second')
    ON CONFLICT (kind, id) DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at`,
  find: 'SELECT payload FROM oidc_record WHERE kind = $1 AND id = $2 AND expires_at > now()',
  consume: `UPDATE oidc_record SET payload = payload || jsonb_build_object('consumed', extract(epoch from now())::int)
    WHERE kind = $1 AND id = $2`,
  destroy: 'DELETE FROM oidc_record WHERE kind = $1 AND id = $2',
  revoke: 'DELETE FROM oidc_record WHERE grant_id = $1',
};

/** Creates the table and returns the adapter. */
export async function postgresRecords() {
  const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
  await pool.query(`CREATE TABLE oidc_record (
    kind text, id text, payload jsonb NOT NULL, grant_id text, expires_at timestamptz NOT NULL, PRIMARY KEY (kind, id))`);
  await pool.query('CREATE INDEX oidc_record_by_grant ON oidc_record (grant_id)');
  const run = (name, ...values) => pool.query({ name, text: statements[name], values });

  return class Records {
    constructor(kind) {
      this.kind = kind;
    }
    upsert(id, payload, seconds = 3_600) {
      return run('upsert', this.kind, id, payload, payload.grantId, seconds);
    }
    async find(id) {
      return (await run('find', this.kind, id)).rows[0]?.payload;
    }
    consume(id) {
      return run('consume', this.kind, id);
    }
    destroy(id) {
      return run('destroy', this.kind, id);
    }
    revokeByGrantId(grantId) {
      return run('revoke', grantId);
    }
    async findByUid() {}
    async findByUserCode() {}
  };
}

const records = new Map();

export class MemoryRecords {
  constructor(kind) {
    this.kind = kind;
  }
  async upsert(id, payload) {
    records.set(`${this.kind} ${id}`, payload);
  }
  async find(id) {
    return records.get(`${this.kind} ${id}`);
  }
  async consume(id) {
    records.get(`${this.kind} ${id}`).consumed = Math.floor(Date.now() / 1_000);
  }
  async destroy(id) {
    records.delete(`${this.kind} ${id}`);
  }
  async revokeByGrantId(grantId) {
    for (const [key, payload] of records) if (payload.grantId === grantId) records.delete(key);
  }
  async findByUid() {}
  async findByUserCode() {}
}
