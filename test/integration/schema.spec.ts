import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { schema } from '../../src/identity/identity.module';
import { joiningRepository, Transactions } from '../../src/platform/database';
import { User, UserRepository } from '../../src/users';
import { AttributeKeyRepository } from '../../src/users/attributes';
import { AttributeKey } from '../../src/users/attributes/attribute-key.entity';
import { openTestDataSource } from '../support/service/test-data-source';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';

const MIGRATIONS_TABLE = 'castellan_migration';

interface Constraint {
  readonly name: string;
  readonly table: string;
}

interface Plan {
  readonly 'QUERY PLAN': string;
}

interface Lent {
  query(sql: string, parameters: unknown[]): Promise<unknown>;
  release(): void;
}

/** The pool interface through which repositories and TypeORM get a connection. */
interface Pool {
  connect(callback?: unknown): Promise<Lent | undefined>;
}

describe('database schema', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await openTestDataSource(database);
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const constraints = (type: string): Promise<Constraint[]> =>
    database.query<Constraint>(
      `SELECT conname AS name, conrelid::regclass::text AS table FROM pg_constraint
       WHERE contype = $1 AND connamespace = 'public'::regnamespace AND conrelid::regclass::text <> $2
         AND conrelid NOT IN (SELECT inhrelid FROM pg_inherits)`,
      [type, MIGRATIONS_TABLE],
    );

  const tables = async (): Promise<string[]> => {
    const rows = await database.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  };

  it('matches the entities', async () => {
    const log = await dataSource.driver.createSchemaBuilder().log();
    expect(log.upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('has a table for every entity', async () => {
    const stored = await tables();
    expect(dataSource.entityMetadatas.length).toBeGreaterThan(8);
    expect(
      dataSource.entityMetadatas.map(({ tableName }) => tableName).filter((name) => !stored.includes(name)),
    ).toEqual([]);
  });

  it.each([
    ['foreign key', 'f', /_fk$/],
    ['primary key', 'p', /_pk$/],
    ['unique constraint', 'u', /_unique$/],
  ])('has explicit names for every %s', async (_, type, form) => {
    const found = await constraints(type);
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter(({ name, table }) => !form.test(name) || !name.startsWith(table))).toEqual([]);
  });

  it('has explicit names for every unique index', async () => {
    const found = await database.query<Constraint>(
      `SELECT indexrelid::regclass::text AS name, indrelid::regclass::text AS table FROM pg_index
       WHERE indisunique AND NOT indisprimary AND indrelid::regclass::text = ANY($1)`,
      [dataSource.entityMetadatas.map(({ tableName }) => tableName)],
    );
    expect(found.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'user_account_username_unique',
        'user_account_email_unique',
        'user_account_phone_unique',
      ]),
    );
    expect(found.filter(({ name, table }) => !/_unique$/.test(name) || !name.startsWith(table))).toEqual([]);
  });

  /** An index of the first column is enough if it refers to a primary key: the other columns only repeat what belongs to it. */
  it('has an index for every foreign key, so that deleting a row scans no whole table', async () => {
    const bare = await database.query(
      `SELECT conname FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace
         AND NOT EXISTS (SELECT 1 FROM pg_index
           WHERE indrelid = conrelid AND (indkey::int2[])[0:cardinality(conkey) - 1] = conkey
             OR indrelid = conrelid AND indkey[0] = conkey[1] AND EXISTS (SELECT 1 FROM pg_index AS key
               WHERE key.indrelid = confrelid AND key.indisprimary AND key.indnatts = 1 AND key.indkey[0] = confkey[1]))`,
    );
    expect(bare).toEqual([]);
  });

  it('has no index on columns that a refresh changes, so that a refresh updates no index', async () => {
    const indexed = await database.query(
      `SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = 'session'::regclass
         AND pg_get_indexdef(indexrelid) ~ '(counter|rotated_at|last_seen_at|expires_at|ip|user_agent|device)\\M'`,
    );
    expect(indexed).toEqual([]);
    const [table] = await database.query(`SELECT reloptions FROM pg_class WHERE oid = 'session'::regclass`);
    expect(table).toEqual({ reloptions: ['fillfactor=80'] });
  });

  it('has no foreign key in the audit, which outlives its subjects', async () => {
    expect((await constraints('f')).filter(({ table }) => table.startsWith('audit'))).toEqual([]);
  });

  describe('uses an index to find', () => {
    const id = '00000000-0000-7000-8000-000000000000';
    const plan = async (sql: string, parameters: unknown[] = []): Promise<string> => {
      const rows = await database.query<Plan>(`EXPLAIN ${sql}`, parameters);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    };

    /** The statement and parameters that the work sends. */
    const sentBy = async (work: () => Promise<unknown>): Promise<[string, unknown[]]> => {
      const { master } = dataSource.driver as unknown as { master: Pool };
      const lend = master.connect.bind(master);
      const sent: [string, unknown[]][] = [];
      const lending = jest.spyOn(master, 'connect').mockImplementation(async (callback) => {
        // TypeORM passes a callback. Its statements are captured by its logger.
        const connection = await lend(callback);
        if (!connection) return undefined;
        const query = (sql: string, parameters: unknown[] = []): Promise<unknown> => {
          sent.push([sql, parameters]);
          return connection.query(sql, parameters);
        };
        return {
          query,
          release: () => {
            connection.release();
          },
        };
      });
      // Statements through TypeORM.
      const log = jest.spyOn(dataSource.logger, 'logQuery').mockImplementation((sql, parameters) => {
        sent.push([sql, (parameters ?? []) as unknown[]]);
      });
      await work();
      lending.mockRestore();
      log.mockRestore();
      expect(sent).toHaveLength(1);
      return sent[0]!;
    };

    // For an empty table the planner uses any index.
    beforeAll(async () => {
      await database.query(
        `INSERT INTO user_account (id, username, nickname, email, email_key, phone)
         SELECT gen_random_uuid(), 'u' || md5(n::text), 'n' || md5(n::text), n || '@a.bc', n || '@a.bc', '+' || 10000000 + n
         FROM generate_series(1, 3000) AS n`,
      );
      await database.query('ANALYZE user_account');
      await database.query('SET enable_seqscan = off');
    });

    it.each<[string, string[], (users: UserRepository) => Promise<unknown>]>([
      ['a user by id', ['user_account_pk'], (users) => users.findById(id)],
      ['a user by username', ['user_account_username_unique'], (users) => users.findByUsername('Ann')],
      ['a user by e-mail', ['user_account_email_unique'], (users) => users.findByEmail('a@b.cd', { verified: true })],
      [
        'a user by phone',
        ['user_account_phone_unique'],
        (users) => users.findByPhone('+8613800138000', { verified: true }),
      ],
      ['whether a username is taken', ['user_account_username_unique'], (users) => users.isUsernameTaken('Ann')],
      ['users by ids', ['user_account_pk'], (users) => users.findPublic([id])],
      [
        'users by name prefix',
        ['user_account_username_unique', 'user_account_\\w*nickname'],
        (users) => users.searchPublic('an', 20),
      ],
    ])('%s', async (_, indexes, work) => {
      const transactions = new Transactions(dataSource, () => undefined);
      const keys = new AttributeKeyRepository(joiningRepository(AttributeKey, dataSource, transactions), transactions);
      const repository = new UserRepository(joiningRepository(User, dataSource, transactions), transactions, keys);
      const found = await plan(...(await sentBy(() => work(repository))));
      for (const index of indexes) expect(found).toMatch(new RegExp(`Index.* ${index}`));
      expect(found).not.toContain('Seq Scan');
    });

    it.each([
      ['a role by name', 'role_name_unique', `SELECT 1 FROM role WHERE scope = 'iam' AND name = 'user'`],
      ['the roles of an organization', 'role_by_organization', `SELECT 1 FROM role WHERE organization_id = '${id}'`],
      ['the roles of the service', 'role_of_service', 'SELECT 1 FROM role WHERE organization_id IS NULL'],
      [
        'the roles of the service in their order',
        'role_of_service',
        'SELECT 1 FROM role WHERE organization_id IS NULL ORDER BY scope COLLATE "C", name COLLATE "C" LIMIT 9',
      ],
      ['the grants of a role', 'role_grant_pk', `SELECT 1 FROM role_grant WHERE role_id = '${id}'`],
      ['the roles of a user', 'user_role_pk', `SELECT 1 FROM user_role WHERE user_id = '${id}'`],
      ['the users of a role', 'user_role_by_role', `SELECT 1 FROM user_role WHERE role_id = '${id}'`],
      ['the grants of a user', 'user_grant_pk', `SELECT 1 FROM user_grant WHERE user_id = '${id}'`],
      ['the sessions of a user', 'session_by_user', `SELECT 1 FROM session WHERE user_id = '${id}'`],
      ['sessions due for cleanup', 'session_by_purge', `SELECT 1 FROM session WHERE purge_at <= now()`],
      ['revoked sessions', 'session_by_revocation', `SELECT 1 FROM session WHERE revoked_at < now()`],
      [
        'unconfirmed factors',
        'mfa_totp_by_age',
        `SELECT 1 FROM mfa_totp WHERE confirmed_at IS NULL AND created_at < now() - interval '10 minutes'`,
      ],
      [
        'keys of a usage',
        'signing_key_by_usage',
        `SELECT 1 FROM signing_key WHERE usage = 'session' AND algorithm = 'ES256'`,
      ],
      [
        'events of an actor',
        'actor_id',
        `SELECT 1 FROM audit_event WHERE actor_id = '${id}' ORDER BY at DESC, id DESC`,
      ],
      [
        'events of an organization',
        'organization_id',
        `SELECT 1 FROM audit_event WHERE organization_id = '${id}' ORDER BY at DESC, id DESC LIMIT 50`,
      ],
      [
        'events on behalf of a user',
        'on_behalf_of_id',
        `SELECT 1 FROM audit_event WHERE on_behalf_of_id = '${id}' ORDER BY at DESC, id DESC LIMIT 50`,
      ],
      ['events of an action', 'action', `SELECT 1 FROM audit_event WHERE action = 'login' ORDER BY at DESC, id DESC`],
      [
        'events of a target',
        'target_type',
        `SELECT 1 FROM audit_event WHERE target_type = 'user' AND target_id = 'x' ORDER BY at DESC, id DESC`,
      ],
    ])('%s', async (_, index, sql) => {
      const found = await plan(sql);
      expect(found).toContain(index);
      expect(found).toMatch(/Index (Only )?(Cond|Scan)/);
      expect(found).not.toContain('Seq Scan');
    });
  });

  it('counts identities from before their review as reviewed', async () => {
    const later = schema.migrations.findIndex(({ name }) => name === 'ReviewIdentitiesAtResets1760012000000');
    for (let left = schema.migrations.length; left > later; left--) {
      await dataSource.undoLastMigration({ transaction: 'each' });
    }
    const user = '01900000-0000-7000-8000-000000000001';
    const link = (id: string): Promise<unknown> =>
      database.query(
        `INSERT INTO user_identity (id, user_id, provider_id, provider_name, provider_label, subject_hint)
         VALUES ($1, $2, $2, 'idp', 'IdP', 'hint')`,
        [id, user],
      );
    await database.query(`INSERT INTO user_account (id, username, avatar) VALUES ($1, 'linked', '')`, [user]);
    await link('01900000-0000-7000-8000-000000000002');
    await dataSource.runMigrations({ transaction: 'each' });
    await link('01900000-0000-7000-8000-000000000003');
    expect(await database.query('SELECT reviewed_at IS NULL AS is_new FROM user_identity ORDER BY id')).toEqual([
      { is_new: false },
      { is_new: true },
    ]);
    await database.query('DELETE FROM user_account');
  });

  it('migrates down to nothing one by one, and up again', async () => {
    const before = await tables();
    for (let left = schema.migrations.length - 1; left >= 0; left--) {
      await dataSource.undoLastMigration({ transaction: 'each' });
      expect(await database.query(`SELECT count(*)::int AS count FROM ${MIGRATIONS_TABLE}`)).toEqual([{ count: left }]);
    }
    expect(await tables()).toEqual([MIGRATIONS_TABLE]);
    const rest = await database.query(
      `SELECT proname AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace
       UNION ALL SELECT typname FROM pg_type WHERE typnamespace = 'public'::regnamespace AND typname !~ 'castellan_migration'`,
    );
    expect(rest).toEqual([]);

    await dataSource.runMigrations({ transaction: 'each' });
    expect(await tables()).toEqual(before);
    expect((await dataSource.driver.createSchemaBuilder().log()).upQueries).toEqual([]);
  });
});
