import pg from 'pg';

/** Has the permission that the benchmark checks. */
export const READER = '01900000-0000-7000-8000-000000000011';
/** A group of the service with that role. Only the user whose memberships change joins it. */
export const READERS = '01900000-0000-7000-8000-000000000012';
/** The role of each member in an organization. */
const MEMBER = '01900000-0000-7000-8000-000000000013';
const ORGANIZATIONS_OF_USER = 3;
/** Each with another role. */
const SERVICE_GROUPS_OF_USER = 7;
/** A multiple of the above. */
const SERVICE_GROUPS = 1_001;

/** SQL of an id, in the order of `number`. */
const idOf = (kind, number) => `(lpad(to_hex(1700000000000 + ${number}), 12, '0') || '7'
  || substr(md5('${kind}' || ${number}), 1, 3) || '8' || substr(md5('${kind}' || ${number}), 4, 15))::uuid`;

const USERS = `
  INSERT INTO user_account (id, username, status, password_hash)
  SELECT ${idOf('user', 'n')}, 'filled_' || n, 'active', repeat('x', 97) FROM generate_series(1, $1::bigint) AS n`;

/** With their numbers, those of the benchmark too. */
const PERSONS = `
  CREATE TEMP TABLE person AS SELECT id, row_number() OVER (ORDER BY id) AS n FROM user_account`;

const ROLES = `
  INSERT INTO role (id, scope, name)
  SELECT '${READER}'::uuid, 'iam', 'bench_reader' UNION ALL SELECT '${MEMBER}', 'iam', 'bench_member'
  UNION ALL SELECT ${idOf('crew', 'n')}, 'iam', 'bench_crew_' || n FROM generate_series(1, ${SERVICE_GROUPS_OF_USER}) AS n`;

const GRANTS = `
  INSERT INTO role_grant (role_id, scope, permission_id, level)
  SELECT '${READER}'::uuid, 'iam', 'role:read', 1
  UNION ALL SELECT '${READER}', 'iam', 'thing' || n || ':read', 1 FROM generate_series(2, 10) AS n
  UNION ALL SELECT '${MEMBER}', 'iam', 'place' || n || ':read', 1 FROM generate_series(1, 3) AS n
  UNION ALL SELECT ${idOf('crew', 'n')}, 'iam', 'other' || n || k || ':update', 3
  FROM generate_series(1, ${SERVICE_GROUPS_OF_USER}) AS n, generate_series(1, 3) AS k`;

/** Without organizations and groups, the users have the roles themselves. */
const OWN_ROLES = `
  INSERT INTO user_role (user_id, role_id)
  SELECT person.id, role.id FROM person CROSS JOIN role WHERE role.name LIKE 'bench\\_%'`;

const ORGANIZATIONS = `
  INSERT INTO organization (id, slug, name, name_key)
  SELECT ${idOf('organization', 'n')}, 'org-' || n, 'Organization ' || n, 'organization ' || n
  FROM generate_series(1, $1::bigint) AS n`;

/** A group at the top, or one below it. */
const groups = (kind, count, { parent, organization = 'NULL::uuid' }) => `
  INSERT INTO user_group (id, name, name_key, parent_id, path, organization_id)
  SELECT ${idOf(kind, 'n')}, '${kind} ' || n, '${kind} ' || n, ${parent ? idOf(parent, 'n') : 'NULL'},
    ARRAY[${[...(parent ? [idOf(parent, 'n')] : []), idOf(kind, 'n')].join(', ')}], ${organization}
  FROM generate_series(1, ${count}) AS n`;

/** `role` is the SQL of the role of group n. */
const rolesOfGroups = (kind, count, role) => `
  INSERT INTO user_group_role (group_id, role_id)
  SELECT ${idOf(kind, 'n')}, ${role} FROM generate_series(1, ${count}) AS n`;

/** The organizations of a user are far apart. */
const joinsOf = (organizations) =>
  `person CROSS JOIN LATERAL (
     SELECT DISTINCT (person.n * 7919 + step * 33331) % ${organizations} + 1 AS number
     FROM generate_series(1, ${ORGANIZATIONS_OF_USER}) AS step) AS joined`;

const MEMBERS = (organizations) => `
  INSERT INTO organization_member (organization_id, user_id)
  SELECT ${idOf('organization', 'joined.number')}, person.id FROM ${joinsOf(organizations)}`;

const ROLES_OF_MEMBERS = `
  INSERT INTO organization_member_role (organization_id, user_id, role_id)
  SELECT organization_id, user_id, '${MEMBER}' FROM organization_member`;

const MEMBERS_OF_TEAMS = (organizations) => `
  INSERT INTO user_group_member (user_id, group_id)
  SELECT person.id, ${idOf('team', 'joined.number')} FROM ${joinsOf(organizations)}`;

const MEMBERS_OF_SERVICE_GROUPS = `
  INSERT INTO user_group_member (user_id, group_id)
  SELECT DISTINCT person.id, ${idOf('circle', 'joined.number')} FROM person
  CROSS JOIN LATERAL (
    SELECT (person.n * 31 + step * 101) % ${SERVICE_GROUPS} + 1 AS number
    FROM generate_series(1, ${SERVICE_GROUPS_OF_USER}) AS step) AS joined`;

const READERS_GROUP = [
  `INSERT INTO user_group (id, name, name_key, path) VALUES ('${READERS}', 'readers', 'readers', ARRAY['${READERS}'::uuid])`,
  `INSERT INTO user_group_role (group_id, role_id) VALUES ('${READERS}', '${READER}')`,
];

/** What the users hold through their organizations and groups. */
async function fillOrganizations(client, organizations) {
  await client.query(ORGANIZATIONS, [organizations]);
  const owned = { organization: idOf('organization', 'n') };
  const statements = [
    groups('department', organizations, owned),
    groups('team', organizations, { ...owned, parent: 'department' }),
    groups('area', SERVICE_GROUPS, {}),
    groups('circle', SERVICE_GROUPS, { parent: 'area' }),
    rolesOfGroups('department', organizations, `'${READER}'::uuid`),
    rolesOfGroups('area', SERVICE_GROUPS, idOf('crew', `(1 + n % ${SERVICE_GROUPS_OF_USER})`)),
    MEMBERS(organizations),
    ROLES_OF_MEMBERS,
    MEMBERS_OF_TEAMS(organizations),
    MEMBERS_OF_SERVICE_GROUPS,
    ...READERS_GROUP,
  ];
  for (const statement of statements) await client.query(statement);
}

/**
 * Fills a migrated database so that every user, those that exist too, may read roles: in three organizations by their
 * groups, with ten groups in all. Without organizations, every user has the roles instead.
 */
export async function fillWithOrganizations(url, { users, organizations }) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(USERS, [users]);
    for (const statement of [PERSONS, ROLES, GRANTS]) await client.query(statement);
    if (organizations === 0) await client.query(OWN_ROLES);
    else await fillOrganizations(client, organizations);
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
}

/** One organization of each user who is a member of any, by the id of the user. */
export async function organizationsOf(url, userIds) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query(
      `SELECT DISTINCT ON (user_id) user_id, organization_id FROM organization_member
       WHERE user_id = ANY($1::uuid[]) ORDER BY user_id, organization_id`,
      [userIds],
    );
    return new Map(rows.map((row) => [row.user_id, row.organization_id]));
  } finally {
    await client.end();
  }
}
