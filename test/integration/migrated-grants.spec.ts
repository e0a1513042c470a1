import 'reflect-metadata';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrations } from '../../migrations';
import { Database } from '../../src/platform/database';
import { EffectiveGrants, GrantRepository } from '../../src/rbac/grants/grant.repository';
import { QuickHasher } from '../../src/testing/quick-hasher';
import { createOrganization } from '../support/organizations/organizations';
import { TestClient } from '../support/service/test-client';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';
import { ADMIN, TestService } from '../support/service/test-service';

/** The first migration after version 0.2. It creates the groups. */
const FIRST_AFTER = 1_760_050_000_000;
const DATA = join(__dirname, '../fixtures/databases/version-0.2.sql');
const SAMPLES = 100;
/** Users whose grants one statement reads. */
const BATCH = 64;
const ignore = (): void => undefined;

interface Held {
  readonly scope: string;
  readonly permission_id: string;
  readonly level: number;
}

interface Row extends Held {
  readonly user_id: string;
}

/** What version 0.2 grants: directly and by roles, on the highest level. A row without a resource grants nothing. */
const HELD = `SELECT user_id, scope, permission_id, max(level)::int AS level FROM (
    SELECT user_id, scope, permission_id, level FROM user_grant
    UNION ALL
    SELECT user_role.user_id, role_grant.scope, role_grant.permission_id, role_grant.level
    FROM user_role JOIN role_grant ON role_grant.role_id = user_role.role_id
  ) AS given WHERE position(':' IN permission_id) > 0 GROUP BY user_id, scope, permission_id
  ORDER BY user_id, scope COLLATE "C", permission_id COLLATE "C"`;

const STRICT = `SELECT DISTINCT user_role.user_id AS id FROM user_role JOIN role ON role.id = user_role.role_id
  WHERE mfa_required ORDER BY 1`;

/** Every stored role and grant, whatever it is worth. */
const STORED = `SELECT
  (SELECT json_agg(json_build_array(id, scope, name, description, is_system, mfa_required) ORDER BY id) FROM role) AS roles,
  (SELECT json_agg(given ORDER BY role_id, scope, permission_id) FROM role_grant AS given) AS of_roles,
  (SELECT json_agg(json_build_array(user_id, role_id) ORDER BY user_id, role_id) FROM user_role) AS members,
  (SELECT json_agg(given ORDER BY user_id, scope, permission_id) FROM user_grant AS given) AS of_users,
  (SELECT json_agg(json_build_array(scope, permission_id, required_level) ORDER BY scope, permission_id)
    FROM catalogue_entry) AS catalogue`;

const RANKS: Readonly<Record<string, number>> = { read: 1, create: 2, update: 3, delete: 4, execute: 5, grant: 6 };
/** Levels that the catalogue sets for an action without a rank. All others need 7. */
const CATALOGUE: Readonly<Record<string, number>> = { 'shop:order:approve': 4, 'billing:invoice:approve': 6 };

const scopes = ['shop', 'billing', 'iam', 'crm'];
const checks = scopes.flatMap((scope) =>
  ['order:read', 'order:approve', 'invoice:update', 'invoice:approve', 'customer:delete', 'report:execute'].map(
    (permission_id) => ({ scope, permission_id }),
  ),
);

/** The rules of docs/permissions.md. */
function isCovered(held: readonly Held[], { scope, permission_id }: (typeof checks)[number]): boolean {
  const [resource = '', action = ''] = permission_id.split(':');
  const needed = RANKS[action] ?? CATALOGUE[`${scope}:${permission_id}`] ?? 7;
  return held.some((grant) => {
    const [heldResource = '', heldAction = ''] = grant.permission_id.split(':');
    return (
      ['*', scope].includes(grant.scope) &&
      ['*', resource].includes(heldResource) &&
      ['*', 'admin', action].includes(heldAction) &&
      grant.level >= needed
    );
  });
}

function byUser(rows: readonly Row[]): Map<string, Held[]> {
  const held = new Map<string, Held[]>();
  for (const { user_id, ...grant } of rows) held.set(user_id, [...(held.get(user_id) ?? []), grant]);
  return held;
}

async function fillFormerVersion(place: TestDatabase): Promise<void> {
  await place.query('DROP SCHEMA public CASCADE');
  await place.query('CREATE SCHEMA public');
  const former = migrations.filter(({ name }) => Number(name.slice(-13)) < FIRST_AFTER);
  const { url, embedded } = place;
  const options = { ...(url !== undefined && { url }), ...(embedded && { embedded }) };
  const schema = { entities: [], migrations: former };
  const database = await Database.open(schema, { ...options, onPoolError: ignore, onWaiting: ignore });
  await database.prepare(true, () => Promise.resolve());
  await database.close();
  const statements = (await readFile(DATA, 'utf8')).split(/;\n/).filter((text) => text.trim() !== '');
  for (const statement of statements) await place.query(statement);
  const hash = await new QuickHasher().hash(ADMIN.password);
  await place.query('UPDATE user_account SET password_hash = $1 WHERE username = $2', [hash, ADMIN.username]);
}

describe('a database of version 0.2 that a start migrates', () => {
  let place: TestDatabase;
  let service: TestService;
  let admin: TestClient;
  let stored: unknown;
  let strict: unknown;
  let held: Map<string, Held[]>;
  let samples: string[];

  beforeAll(async () => {
    place = await createTestDatabase();
    await fillFormerVersion(place);
    stored = await place.query(STORED);
    strict = await place.query(STRICT);
    held = byUser(await place.query<Row>(HELD));
    service = await TestService.startOn(place);
    admin = await service.admin();
    const ids = [...held.keys()];
    samples = ids.filter((_, index) => index % Math.floor(ids.length / SAMPLES) === 0);
  });

  afterAll(async () => {
    await service.stop();
    await place.drop();
  });

  it('had no tables of groups and organizations before, and has all of them now', async () => {
    const [counts] = await place.query(
      `SELECT count(*)::int AS executed, (SELECT count(*)::int FROM user_group) AS groups,
         (SELECT count(*)::int FROM organization) AS organizations FROM castellan_migration`,
    );
    expect(counts).toEqual({ executed: migrations.length, groups: 0, organizations: 0 });
  });

  it('keeps each role, member, grant and catalogue entry as it was', async () => {
    expect(await place.query(STORED)).toEqual(stored);
  });

  it('keeps what each user holds, and which of them need a second factor', async () => {
    expect(held.size).toBeGreaterThan(2_000);
    const grants = service.app.get(GrantRepository);
    const users = [...held.keys()];
    const found: EffectiveGrants[] = [];
    for (let start = 0; start < users.length; start += BATCH) {
      const some = users.slice(start, start + BATCH);
      found.push(...(await Promise.all(some.map((id) => grants.effectiveGrantsOf(id)))));
    }
    const rows = users.flatMap((user_id, index) =>
      (found[index]?.grants ?? []).map(({ scope, permissionId, level }) => [user_id, scope, permissionId, level]),
    );
    // A role and a direct grant may give one permission on two levels. The highest counts.
    const highest = new Map<string, number>();
    for (const [user, scope, permission, level] of rows) {
      const key = JSON.stringify([user, scope, permission]);
      highest.set(key, Math.max(highest.get(key) ?? 0, Number(level)));
    }
    const before = [...held].flatMap(([user, grantsBefore]) =>
      grantsBefore.map(({ scope, permission_id, level }): [string, number] => [
        JSON.stringify([user, scope, permission_id]),
        level,
      ]),
    );
    expect(highest).toEqual(new Map(before));
    const demanded = users.filter((_, index) => found[index]?.demandsSecondFactor).sort();
    expect(demanded.map((id) => ({ id }))).toEqual(strict);
  });

  it('keeps what the API shows of them', async () => {
    expect(samples.length).toBeGreaterThanOrEqual(SAMPLES);
    for (const id of samples) {
      const { body } = await admin.get<{ effective: (Held & { from: string[]; groups?: string[] })[] }>(
        `/api/user/${id}/permissions`,
      );
      expect(body.effective.map(({ scope, permission_id, level }) => ({ scope, permission_id, level }))).toEqual(
        held.get(id),
      );
      expect(body.effective.filter(({ groups }) => groups)).toEqual([]);
    }
  });

  it('keeps the result of each check, also of one in an organization', async () => {
    const { id: organization_id } = await createOrganization(admin, 'new-one');
    const results = { allowed: 0, denied: 0 };
    for (const user_id of samples) {
      const expected = checks.map((check) => isCovered(held.get(user_id) ?? [], check));
      for (const more of [{}, { organization_id }]) {
        const body = { user_id, checks: checks.map((check) => ({ ...check, ...more })) };
        const answer = await admin.post<{ results: { allowed: boolean }[] }>('/api/permission/check', body);
        expect([user_id, answer.body.results.map(({ allowed }) => allowed)]).toEqual([user_id, expected]);
      }
      for (const isAllowed of expected) results[isAllowed ? 'allowed' : 'denied'] += 1;
    }
    expect(Math.min(results.allowed, results.denied)).toBeGreaterThan(100);
  });
});
