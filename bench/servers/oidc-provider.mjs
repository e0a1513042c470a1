/*
 * oidc-provider on PostgreSQL, with refresh token rotation. Two routes take the place of a login: POST /mint creates a
 * grant and its first refresh token, POST /mint-code a grant and an authorization code.
 */
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';
import pg from 'pg';

const port = Number(process.env.PORT);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
await pool.query(`CREATE TABLE oidc_record (
  kind text, id text, payload jsonb NOT NULL, grant_id text, expires_at timestamptz NOT NULL, PRIMARY KEY (kind, id))`);
await pool.query('CREATE INDEX oidc_record_by_grant ON oidc_record (grant_id)');

const statements = {
  upsert: `INSERT INTO oidc_record VALUES ($1, $2, $3, $4, now() + $5 * interval '1 second')
    ON CONFLICT (kind, id) DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at`,
  find: 'SELECT payload FROM oidc_record WHERE kind = $1 AND id = $2 AND expires_at > now()',
  consume: `UPDATE oidc_record SET payload = payload || jsonb_build_object('consumed', extract(epoch from now())::int)
    WHERE kind = $1 AND id = $2`,
  destroy: 'DELETE FROM oidc_record WHERE kind = $1 AND id = $2',
  revoke: 'DELETE FROM oidc_record WHERE grant_id = $1',
};
const run = (name, ...values) => pool.query({ name, text: statements[name], values });

class Records {
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
}

const REDIRECT_URI = 'https://app.example.com/callback';
const client = {
  client_id: 'bench',
  client_secret: 'bench-secret',
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  redirect_uris: [REDIRECT_URI],
  response_types: ['code'],
  token_endpoint_auth_method: 'client_secret_post',
};
const jwkOf = (...kind) => generateKeyPairSync(...kind).privateKey.export({ format: 'jwk' });
const keys = [jwkOf('rsa', { modulusLength: 2_048 }), jwkOf('ec', { namedCurve: 'P-256' })];
const resourceServer = { scope: 'user:read', accessTokenFormat: 'jwt', jwt: { sign: { alg: 'ES256' } } };
const provider = new Provider(`http://127.0.0.1:${port}`, {
  adapter: Records,
  clients: [client],
  jwks: { keys: keys.map((key) => ({ ...key, use: 'sig' })) },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    introspection: { enabled: true },
    resourceIndicators: { enabled: true, getResourceServerInfo: () => resourceServer },
  },
  scopes: ['openid', 'offline_access', 'user:read'],
  rotateRefreshToken: true,
  findAccount: async (_context, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
});

let accounts = 0;
async function granted(scope) {
  const accountId = `account${++accounts}`;
  const grant = new provider.Grant({ accountId, clientId: client.client_id });
  grant.addOIDCScope(scope);
  return {
    accountId,
    client: await provider.Client.find(client.client_id),
    grantId: await grant.save(),
    scope,
    authTime: Math.floor(Date.now() / 1_000),
    claims: {},
    sessionUid: accountId,
  };
}

async function mint() {
  const token = new provider.RefreshToken({
    ...(await granted('openid offline_access')),
    gty: 'authorization_code',
  });
  return JSON.stringify({ refresh_token: await token.save() });
}

async function mintCode(url) {
  const code = new provider.AuthorizationCode({
    ...(await granted('openid')),
    redirectUri: REDIRECT_URI,
    codeChallenge: new URL(url, 'http://127.0.0.1').searchParams.get('code_challenge'),
    codeChallengeMethod: 'S256',
  });
  return JSON.stringify({ code: await code.save() });
}

const protocol = provider.callback();
createServer((request, response) => {
  if (request.url === '/ready') response.end('ok');
  else if (!request.url.startsWith('/mint')) protocol(request, response);
  else
    (request.url === '/mint' ? mint() : mintCode(request.url)).then(
      (text) => response.end(text),
      (error) => response.writeHead(500).end(String(error)),
    );
}).listen(port, '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
