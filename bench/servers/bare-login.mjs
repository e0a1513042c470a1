/*
 * The bare limit of a login and a logout on Fastify. The login looks up the user by name, verifies argon2id with the
 * service's parameters, inserts one session row and signs two cookies with ES256. The logout ends that row and
 * publishes one message in Redis for caches.
 */
import { hash, verify as verifyHash } from '@node-rs/argon2';
import { createClient } from '@redis/client';
import { createSigner, createVerifier } from 'fast-jwt';
import fastify from 'fastify';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { COST } from '../lib/argon2.mjs';

const { values } = parseArgs({ options: { redis: { type: 'string' } } });
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const sign = createSigner({
  key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  algorithm: 'ES256',
  expiresIn: 3_600_000,
});
const verify = createVerifier({ key: publicKey.export({ type: 'spki', format: 'pem' }), algorithms: ['ES256'] });
const COOKIE = /(?:^|; )bare_access=([^;]+)/;

const redis = createClient({ url: values.redis });
await redis.connect();
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
await pool.query('CREATE TABLE bare_user (id uuid PRIMARY KEY, username text NOT NULL UNIQUE, hash text NOT NULL)');
await pool.query(
  'CREATE TABLE bare_session (id uuid PRIMARY KEY, user_id uuid NOT NULL, at timestamptz DEFAULT now(), ended timestamptz)',
);

const run = async (name, text, ...bound) => (await pool.query({ name, text, values: bound })).rows;

async function enter(reply, uid) {
  const sid = randomUUID();
  await run('open', 'INSERT INTO bare_session (id, user_id) VALUES ($1, $2)', sid, uid);
  const cookies = ['access', 'refresh'].map(
    (type) => `bare_${type}=${sign({ sid, uid, type, jti: randomUUID() })}; HttpOnly; Path=/`,
  );
  reply.header('set-cookie', cookies);
  return { status: 'ok' };
}

const app = fastify({ logger: false });
app.get('/ready', async () => ({ status: 'ok' }));
app.post('/register', async ({ body: { username, password } }, reply) => {
  const uid = randomUUID();
  const stored = await hash(password, COST);
  await run('register', 'INSERT INTO bare_user (id, username, hash) VALUES ($1, $2, $3)', uid, username, stored);
  return enter(reply, uid);
});
app.post('/login', async ({ body: { username, password } }, reply) => {
  const [user] = await run('find', 'SELECT id, hash FROM bare_user WHERE username = $1', username);
  if (!user || !(await verifyHash(user.hash, password))) return reply.code(401).send();
  return enter(reply, user.id);
});
app.post('/logout', async (request, reply) => {
  const { sid } = verify(COOKIE.exec(request.headers.cookie ?? '')[1]);
  await run('end', 'UPDATE bare_session SET ended = now() WHERE id = $1 AND ended IS NULL', sid);
  await redis.publish('bare', sid);
  return reply.code(204).send();
});
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
process.on('SIGTERM', () => process.exit(0));
