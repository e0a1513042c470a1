import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { migrations } from '../../migrations';
import { newId } from '../../src/platform/crypto';
import { Database, joiningRepository, Transactions } from '../../src/platform/database';
import { CountEstimateRepository } from '../../src/platform/lists';
import { Role } from '../../src/rbac';
import { RoleRepository } from '../../src/rbac/grants/role.repository';
import { openTestDataSource } from '../support/service/test-data-source';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';

/** The first migration that stores roles of organizations apart. */
const FIRST = 1_760_166_000_000;
/** The first that leaves `user_role` closed to such roles. */
const CLOSING = 1_760_166_001_000;
/** How version 0.2 finds the default role at a registration, and a role that a command or an import names. */
const FORMER_LOOKUP = 'SELECT id FROM role WHERE scope = $1 AND name = $2';
const ignore = (): void => undefined;

interface Ids {
  readonly home: string;
  readonly away: string;
  readonly user: string;
  readonly groups: { readonly service: string; readonly home: string; readonly away: string };
  readonly invitation: string;
}

const [own, ofService] = [newId(), newId()];
const ids: Ids = {
  home: newId(),
  away: newId(),
  user: newId(),
  groups: { service: newId(), home: newId(), away: newId() },
  invitation: newId(),
};

async function fill(database: TestDatabase): Promise<void> {
  const { home, away, user, groups } = ids;
  await database.query(
    `INSERT INTO organization (id, slug, name, name_key) SELECT id, 'o' || id, 'O', 'o' FROM unnest($1::uuid[]) AS wanted (id)`,
    [[home, away]],
  );
  await database.query(`INSERT INTO user_account (id, username) VALUES ($1, 'ann')`, [user]);
  await database.query('INSERT INTO organization_member (organization_id, user_id) VALUES ($1, $3), ($2, $3)', [
    home,
    away,
    user,
  ]);
  await database.query(
    `INSERT INTO user_group (id, name, name_key, path, organization_id)
     SELECT id, 'g', 'g', ARRAY[id], organization_id FROM unnest($1::uuid[], $2::uuid[]) AS wanted (id, organization_id)`,
    [Object.values(groups), [null, home, away]],
  );
  await database.query(
    `INSERT INTO invitation (id, organization_id, channel, target, address, token_digest, expires_at)
     VALUES ($1, $2, 'email', 'a@b.cd', 'a@b.cd', 'digest', now())`,
    [ids.invitation, away],
  );
  await database.query(
    `INSERT INTO organization_domain (organization_id, domain, txt_value) VALUES ($1, 'b.cd', 't')`,
    [away],
  );
}

/** Statements that give a role, the last value, with the organization in which it is given; undefined: everywhere. */
const gifts: readonly (readonly [string, string | undefined, string, readonly string[]])[] = [
  ['to a user', undefined, 'INSERT INTO user_role (user_id, role_id) VALUES ($1, $2)', [ids.user]],
  [
    'to a group of the service',
    undefined,
    'INSERT INTO user_group_role (group_id, role_id) VALUES ($1, $2)',
    [ids.groups.service],
  ],
  ['to a group', ids.away, 'INSERT INTO user_group_role (group_id, role_id) VALUES ($1, $2)', [ids.groups.away]],
  [
    'to a member',
    ids.away,
    'INSERT INTO organization_member_role (organization_id, user_id, role_id) VALUES ($1, $2, $3)',
    [ids.away, ids.user],
  ],
  [
    'by a domain',
    ids.away,
    'INSERT INTO organization_domain_role (organization_id, domain, role_id) VALUES ($1, $2, $3)',
    [ids.away, 'b.cd'],
  ],
  [
    'by an invitation',
    ids.away,
    'INSERT INTO invitation_role (invitation_id, role_id) VALUES ($1, $2)',
    [ids.invitation],
  ],
];

describe('a role of an organization in the database', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let roles: RoleRepository;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await openTestDataSource(database);
    const transactions = new Transactions(dataSource, ignore);
    const repository = joiningRepository(Role, dataSource, transactions);
    roles = new RoleRepository(repository, transactions, {} as CountEstimateRepository);
    await fill(database);
    const content = { scope: 'iam', name: 'guest', description: '', mfaRequired: false };
    await roles.insert({ ...content, id: own, organizationId: ids.home });
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const change = (sql: string, values: unknown[] = [own]): Promise<unknown> => database.query(sql, values);

  it('is found by no lookup by name, also of the former version, and shows its name', async () => {
    expect(await roles.findByName('iam', 'guest')).toBeNull();
    expect(await database.query(FORMER_LOOKUP, ['iam', 'guest'])).toEqual([]);
    expect(await roles.holdByNames(['iam', 'iam'], ['guest', 'organization/guest'])).toEqual([]);
    const shown = { id: own, name: 'guest', organizationId: ids.home };
    expect(await roles.findById(own)).toMatchObject(shown);
    expect(
      await roles.list({ organizationId: ids.home, keyword: 'gue' }, { limit: 2, offset: 0 } as never),
    ).toMatchObject([shown]);
    expect(await roles.list({ organizationId: ids.home, keyword: 'organ' }, { limit: 2, offset: 0 } as never)).toEqual(
      [],
    );
    expect(await roles.isTaken({ scope: 'iam', name: 'guest', organizationId: ids.home })).toBe(true);
    expect(await roles.isTaken({ scope: 'iam', name: 'guest', organizationId: null })).toBe(false);
  });

  it('keeps a name apart from those of the service, and its organization', async () => {
    await change(`INSERT INTO role (id, scope, name) VALUES ($1, 'iam', 'guest')`, [ofService]);
    for (const name of ['guest', 'other']) {
      await expect(change(`UPDATE role SET name = '${name}' WHERE id = $1`)).rejects.toThrow(
        /role_name_of_organization/,
      );
    }
    const renamed = change(`UPDATE role SET name = 'organization/guest' WHERE id = $1`, [ofService]);
    await expect(renamed).rejects.toThrow(/role_name_of_organization/);
    const moves: [string, unknown[]][] = [
      ['UPDATE role SET organization_id = $2 WHERE id = $1', [own, ids.away]],
      [`UPDATE role SET organization_id = NULL, of_service = true, name = 'else' WHERE id = $1`, [own]],
      ['UPDATE user_group SET organization_id = $2 WHERE id = $1', [ids.groups.away, ids.home]],
      ['UPDATE invitation SET organization_id = $2 WHERE id = $1', [ids.invitation, ids.home]],
    ];
    for (const [sql, values] of moves) await expect(change(sql, values)).rejects.toThrow(/stays in its organization/);
    await expect(change('UPDATE role SET of_service = true WHERE id = $1')).rejects.toThrow(/role_of_service_known/);
  });

  it.each(gifts)('is not given %s elsewhere', async (_, organizationId, sql, values) => {
    const message = sql.includes('INTO user_role ')
      ? /user_role_service_role_fk/
      : /A role of an organization can only be given there/;
    await expect(change(sql, [...values, own])).rejects.toThrow(message);
    await change(sql, [...values, ofService]);
    const table = /INTO (\w+)/.exec(sql)![1]!;
    const moved = change(`UPDATE ${table} SET role_id = $1 WHERE role_id = $2`, [own, ofService]);
    await expect(moved).rejects.toThrow(message);
    const there = newId();
    if (organizationId === undefined) return;
    await roles.insert({ id: there, scope: 'iam', name: there, description: '', mfaRequired: false, organizationId });
    await change(sql, [...values, there]);
  });

  it('is not given elsewhere by a session with another search path', async () => {
    const given = dataSource.transaction(async (manager) => {
      const [{ schema }] = await manager.query<[{ schema: string }]>('SELECT current_schema() AS schema');
      await manager.query('SET LOCAL search_path = pg_catalog');
      const sql = `INSERT INTO "${schema}".user_group_role (group_id, role_id) VALUES ($1, $2)`;
      await manager.query(sql, [ids.groups.away, own]);
    });
    await expect(given).rejects.toThrow(/A role of an organization can only be given there/);
  });

  it('is not given to users by a row that says it is one of the service', async () => {
    const sql = 'INSERT INTO user_role (user_id, role_id, role_of_service) VALUES ($1, $2, false)';
    await expect(change(sql, [ids.user, own])).rejects.toThrow(/user_role_of_service/);
  });

  it('is deleted with what it was given to', async () => {
    await change('INSERT INTO organization_member_role (organization_id, user_id, role_id) VALUES ($1, $2, $3)', [
      ids.home,
      ids.user,
      own,
    ]);
    for (const id of [own, ofService]) await roles.delete(id);
    expect(await change('SELECT 1 FROM user_role WHERE role_id = $1', [ofService])).toEqual([]);
    expect(await change('SELECT 1 FROM organization_member_role WHERE role_id = $1')).toEqual([]);
  });
});

describe('the migrations that keep roles of organizations inside', () => {
  it('rename the roles, take away what was given outside, and keep what the former version writes', async () => {
    const place = await createTestDatabase();
    try {
      const { url, embedded } = place;
      const where = { ...(url !== undefined && { url }), ...(embedded && { embedded }) };
      const open = (list: typeof migrations): Promise<Database> =>
        Database.open({ entities: [], migrations: list }, { ...where, onPoolError: ignore, onWaiting: ignore });
      await place.query('DROP SCHEMA public CASCADE');
      await place.query('CREATE SCHEMA public');
      const migrate = async (isDue: (at: number) => boolean): Promise<void> => {
        const database = await open(migrations.filter(({ name }) => isDue(Number(name.slice(-13)))));
        await database.prepare(true, () => Promise.resolve());
        await database.close();
      };
      await migrate((at) => at < FIRST);
      await fill(place);
      await place.query(
        `INSERT INTO role (id, scope, name, organization_id) VALUES ($1, 'iam', $3, $4), ($2, 'iam', $3, NULL)`,
        [own, ofService, 'n'.repeat(50), ids.home],
      );
      const give = 'INSERT INTO user_role (user_id, role_id) VALUES ($1, $2)';
      for (const role of [own, ofService]) await place.query(give, [ids.user, role]);
      const found = (): Promise<unknown[]> => place.query(FORMER_LOOKUP, ['iam', 'n'.repeat(50)]);
      expect(await found()).toHaveLength(2);
      await migrate((at) => at <= CLOSING);
      // As written by an instance of the former version while the migration runs.
      await place.query('ALTER TABLE user_role DISABLE TRIGGER ALL');
      await place.query(`${give} ON CONFLICT DO NOTHING`, [ids.user, own]);
      await place.query('ALTER TABLE user_role ENABLE TRIGGER ALL');

      const later = await open(migrations);
      await later.prepare(true, () => Promise.resolve());
      const named = 'SELECT name, of_service FROM role WHERE id = $1';
      expect(await place.query(named, [own])).toEqual([{ name: `organization/${'n'.repeat(50)}`, of_service: false }]);
      expect(await place.query(named, [ofService])).toEqual([{ name: 'n'.repeat(50), of_service: true }]);
      expect(await found()).toEqual([{ id: ofService }]);
      expect(await place.query('SELECT role_id FROM user_role')).toEqual([{ role_id: ofService }]);
      expect(await place.query('SELECT conname FROM pg_constraint WHERE NOT convalidated')).toEqual([]);
      await expect(place.query(give, [ids.user, own])).rejects.toThrow(/user_role_service_role_fk/);
      const added = migrations.filter(({ name }) => Number(name.slice(-13)) >= FIRST);
      for (let undone = 0; undone < added.length; undone++) await later.dataSource.undoLastMigration();
      expect(await place.query('SELECT name FROM role WHERE id = $1', [own])).toEqual([{ name: 'n'.repeat(50) }]);
      await place.query(give, [ids.user, own]);
      await later.close();
    } finally {
      await place.drop();
    }
  });
});
