/*
 * better-auth on Fastify and PostgreSQL, set up as its Fastify guide shows, without a rate limit. `--redis URL` keeps
 * sessions in Redis. `--argon2` hashes as the service does instead of with scrypt, the default.
 */
import { createClient } from '@redis/client';
import { hash, verify } from '@node-rs/argon2';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import fastify from 'fastify';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { COST } from '../lib/argon2.mjs';

const { values } = parseArgs({
  options: { redis: { type: 'string' }, argon2: { type: 'boolean' } },
});
const port = Number(process.env.PORT);
const origin = `http://127.0.0.1:${port}`;

async function redisStorage(url) {
  const client = createClient({ url });
  await client.connect();
  return {
    get: (key) => client.get(key),
    set: (key, value, ttl) => client.set(key, value, ttl ? { EX: Math.ceil(ttl) } : {}),
    delete: (key) => client.del(key),
  };
}

const argon2 = {
  hash: (password) => hash(password, COST),
  verify: ({ hash: stored, password }) => verify(stored, password),
};

const auth = betterAuth({
  baseURL: origin,
  secret: 'only-for-the-benchmark-0123456789abcdef',
  database: new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 }),
  ...(values.redis && { secondaryStorage: await redisStorage(values.redis) }),
  emailAndPassword: { enabled: true, ...(values.argon2 && { password: argon2 }) },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { level: 'error' },
});
const { runMigrations } = await getMigrations(auth.options);
await runMigrations();

const app = fastify({ logger: false });
app.get('/ready', async () => ({ status: 'ok' }));
app.route({
  method: ['GET', 'POST'],
  url: '/api/auth/*',
  async handler(request, reply) {
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) if (value) headers.append(name, String(value));
    const body = request.body ? { body: JSON.stringify(request.body) } : {};
    const asked = new Request(new URL(request.url, origin), { method: request.method, headers, ...body });
    const answer = await auth.handler(asked);
    reply.status(answer.status);
    answer.headers.forEach((value, name) => {
      if (name !== 'set-cookie') reply.header(name, value);
    });
    for (const cookie of answer.headers.getSetCookie()) reply.header('set-cookie', cookie);
    return reply.send(answer.body ? await answer.text() : null);
  },
});
await app.listen({ port, host: '127.0.0.1' });
process.on('SIGTERM', () => process.exit(0));
