import pg from 'pg';

export const CREW = '01900000-0000-7000-8000-000000000001';
export const EVERYBODY = '01900000-0000-7000-8000-000000000002';
/** The attribute that is not searchable. */
export const UNSEARCHABLE = 'office';

/**
 * Half of the usernames rise with time, the worst case for a search from the newest to the oldest. The others are in
 * random order. Every hundredth user is disabled, 300 of the oldest users have a small role, and all users have a large
 * one. A thousand users share each cost centre, and every user has an employee number and one of a hundred offices.
 */
const FILL = `
  INSERT INTO user_account (id, username, nickname, email, email_key, phone, status, password_hash, attributes)
  SELECT (lpad(to_hex(1700000000000 + n * 1000), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
    CASE WHEN n % 2 = 0 THEN 'user_' || lpad(n::text, 8, '0') ELSE substr(md5('name' || n), 1, 8) || '_' || n END,
    CASE WHEN n % 3 = 0 THEN (array['Ann', 'Bob', '张伟', 'Élodie', 'Привет'])[1 + n % 5] || ' ' || n ELSE '' END,
    CASE WHEN n % 2 = 1 THEN 'Mail.' || n || '@Example.com' END, CASE WHEN n % 2 = 1 THEN 'mail.' || n || '@example.com' END,
    CASE WHEN n % 4 = 0 THEN '+86138' || lpad(n::text, 8, '0') END,
    CASE WHEN n % 100 = 0 THEN 'disabled' ELSE 'active' END, repeat('x', 97),
    jsonb_build_object('cost_centre', 'C' || n % ceil($1 / 1000.0)::bigint, 'employee_no', 'E' || n, '${UNSEARCHABLE}', 'O' || n % 100)
  FROM generate_series(1, $1::bigint) AS n`;

const ATTRIBUTES = `
  INSERT INTO user_attribute (name, type, label, description, rules, owner, required, is_unique, searchable, source, position)
  SELECT name, 'text', '{"en": "-", "zh": "-"}', '{"en": "", "zh": ""}', '{}', 'none', 'no', is_unique, searchable, 'local', 10
  FROM (VALUES ('cost_centre', false, true), ('employee_no', true, true), ('${UNSEARCHABLE}', false, false))
    AS defined (name, is_unique, searchable)`;

const KEYS = `
  INSERT INTO user_attribute_key (user_id, attribute, key, is_unique)
  SELECT user_account.id, value.key, lower(value.value), value.key = 'employee_no'
  FROM user_account, jsonb_each_text(attributes) AS value WHERE value.key <> '${UNSEARCHABLE}'`;

/**
 * Inserts `users` users into a migrated database.
 * @param client connected.
 */
export async function fillUsers(client, users) {
  await client.query(FILL, [users]);
  await client.query(`INSERT INTO role (id, scope, name) VALUES ($1, 'iam', 'crew'), ($2, 'iam', 'everybody')`, [
    CREW,
    EVERYBODY,
  ]);
  await client.query('INSERT INTO user_role (user_id, role_id) SELECT id, $1 FROM user_account', [EVERYBODY]);
  await client.query('INSERT INTO user_role (user_id, role_id) SELECT id, $1 FROM user_account ORDER BY id LIMIT 300', [
    CREW,
  ]);
  await client.query(ATTRIBUTES);
  await client.query(KEYS);
  await client.query('VACUUM ANALYZE');
}

export async function fillDatabase(url, users) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await fillUsers(client, users);
  } finally {
    await client.end();
  }
}
