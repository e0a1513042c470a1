import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { Environment } from '../../src/platform/config';
import { newId } from '../../src/platform/crypto';
import { joiningRepository, Transactions } from '../../src/platform/database';
import { RoleGrant, UserGrant } from '../../src/rbac/grants/grant.entities';
import { GrantRepository } from '../../src/rbac/grants/grant.repository';
import { openTestDataSource } from '../support/service/test-data-source';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';

describe('batched lookup of user permissions', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let grants: GrantRepository;
  const [strict, easy] = [newId(), newId()];
  const [both, one, own, nothing, grouped] = [newId(), newId(), newId(), newId(), newId()];
  const [top, below] = [newId(), newId()];

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await openTestDataSource(database);
    const transactions = new Transactions(dataSource, () => undefined);
    grants = new GrantRepository(
      joiningRepository(RoleGrant, dataSource, transactions),
      joiningRepository(UserGrant, dataSource, transactions),
      {} as Environment,
      transactions,
    );
    await database.query(
      `INSERT INTO role (id, scope, name, mfa_required) VALUES ($1, 'shop', 'strict', true), ($2, 'shop', 'easy', false)`,
      [strict, easy],
    );
    await database.query(
      `INSERT INTO role_grant (role_id, scope, permission_id, level) VALUES ($1, 'shop', 'order:read', 1)`,
      [easy],
    );
    await database.query(
      `INSERT INTO user_account (id, username) SELECT id, 'user_' || id FROM unnest($1::uuid[]) AS wanted (id)`,
      [[both, one, own, nothing, grouped]],
    );
    await database.query('INSERT INTO user_role (user_id, role_id) VALUES ($1, $3), ($1, $4), ($2, $4)', [
      both,
      one,
      strict,
      easy,
    ]);
    await database.query(
      `INSERT INTO user_grant (user_id, scope, permission_id, level) VALUES ($1, 'shop', 'order:update', 3)`,
      [own],
    );
    await database.query(
      `INSERT INTO user_group (id, name, name_key, parent_id, path)
       VALUES ($1, 'top', 'top', NULL, ARRAY[$1::uuid]), ($2, 'below', 'below', $1, ARRAY[$1::uuid, $2])`,
      [top, below],
    );
    await database.query('INSERT INTO user_group_role (group_id, role_id) VALUES ($1, $3), ($2, $4)', [
      top,
      below,
      strict,
      easy,
    ]);
    await database.query('INSERT INTO user_group_member (user_id, group_id) VALUES ($1, $2)', [grouped, below]);
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('returns permissions and MFA requirement of each user', async () => {
    const asked = [nothing, both, one, own, both, grouped];
    const held = await Promise.all(asked.map((id) => grants.effectiveGrantsOf(id)));
    const told = held.map(({ grants: each, demandsSecondFactor }) => [
      each.map(({ permissionId }) => permissionId),
      demandsSecondFactor,
    ]);
    const ofBoth = [['order:read'], true];
    expect(told).toEqual([[[], false], ofBoth, [['order:read'], false], [['order:update'], false], ofBoth, ofBoth]);
    expect(await Promise.all([both, own].map((id) => grants.ofUser(id)))).toEqual([held[1]!.grants, held[3]!.grants]);
  });
});
