/*
 * The bare limit of a refresh on Fastify: it verifies the token, makes one compare-and-set in PostgreSQL and one write
 * to Redis, and signs two cookies. It signs with ES256 as the service does, or with HS256 for `--hs256`.
 */
import { createClient } from '@redis/client';
import { createSigner, createVerifier } from 'fast-jwt';
import fastify from 'fastify';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import pg from 'pg';

const { values } = parseArgs({ options: { redis: { type: 'string' }, hs256: { type: 'boolean' } } });
const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const secret = 'only-for-the-benchmark-0123456789abcdef';
const keys = values.hs256
  ? { algorithm: 'HS256', signing: secret, verifying: secret }
  : {
      algorithm: 'ES256',
      signing: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }),
      verifying: pair.publicKey.export({ type: 'spki', format: 'pem' }),
    };
const sign = createSigner({ key: keys.signing, algorithm: keys.algorithm, expiresIn: 3_600_000 });
const verify = createVerifier({ key: keys.verifying, algorithms: [keys.algorithm] });
const COOKIE = /(?:^|; )bare_refresh=([^;]+)/;

const redis = createClient({ url: values.redis });
await redis.connect();
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
await pool.query(
  'CREATE TABLE IF NOT EXISTS bare_session (id uuid PRIMARY KEY, counter int NOT NULL, at timestamptz DEFAULT now())',
);

function sendCookies(reply, sid, counter) {
  const cookies = ['access', 'refresh'].map(
    (type) => `bare_${type}=${sign({ sid, uid: sid, type, counter, jti: randomUUID() })}; HttpOnly; Path=/`,
  );
  reply.header('set-cookie', cookies);
  return { status: 'ok' };
}

const app = fastify({ logger: false });
app.get('/ready', async () => ({ status: 'ok' }));
app.post('/login', async (_request, reply) => {
  const sid = randomUUID();
  await pool.query('INSERT INTO bare_session (id, counter) VALUES ($1, 1)', [sid]);
  return sendCookies(reply, sid, 1);
});
app.post('/refresh', async (request, reply) => {
  const { sid, counter } = verify(COOKIE.exec(request.headers.cookie ?? '')[1]);
  const { rows } = await pool.query({
    name: 'rotate',
    text: 'UPDATE bare_session SET counter = counter + 1, at = now() WHERE id = $1 AND counter = $2 RETURNING counter',
    values: [sid, counter],
  });
  if (rows.length === 0) return reply.code(401).send();
  await redis.set(`bare:${sid}`, JSON.stringify({ counter: rows[0].counter }), { EX: 30 });
  return sendCookies(reply, sid, rows[0].counter);
});
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
process.on('SIGTERM', () => process.exit(0));
