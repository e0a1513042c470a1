import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, exportJWK } from 'jose';
import { SigningKeysService } from '../../src/session';
import { newId, SecretBox } from '../../src/platform/crypto';
import { DatabaseClock } from '../../src/platform/database';
import { accessTtl } from '../../src/session/store/session.settings';
import { expectProblem } from '../support/service/expect-problem';
import { accessOf, base64url, partsOf, refreshOf, resign, sessionOf, signed } from '../support/accounts/session-tokens';
import type { Answer, Problem, TestClient } from '../support/service/test-client';
import { eventually, PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

describe('session tokens', () => {
  let service: TestService;
  let client: TestClient;
  let access: string;
  let refresh: string;

  withService(async (started) => {
    service = started;
    client = await service.signUp('ann');
    access = accessOf(client);
    refresh = refreshOf(client);
  });

  const withAccess = (token: string): Promise<Answer<Problem>> =>
    service.client().get<Problem>('/api/auth/me', { cookie: `iam_access=${token}` });

  const withRefresh = (token: string): Promise<Answer<Problem>> =>
    service.client().post<Problem>('/api/auth/refresh', undefined, { cookie: `iam_refresh=${token}` });

  const expectInvalid = (answer: Answer<Problem>): void => {
    expectProblem(answer, 401, 'unauthenticated');
    expect(answer.setCookies).toEqual([]);
  };

  describe('claims', () => {
    it.each(['access', 'refresh'])(
      'of the %s token are user, type and version beside the registered names, and no more',
      (type) => {
        const token = type === 'access' ? access : refresh;
        const claims = decodeJwt(token);
        expect(Object.keys(claims).sort()).toEqual(['exp', 'iat', 'iss', 'jti', 'type', 'uid', 'ver']);
        expect(claims).toMatchObject({ type, iss: 'urn:castellan:iam', ver: `${sessionOf(client)}.1` });
        expect(decodeProtectedHeader(token)).toEqual({
          alg: 'ES256',
          typ: `session-${type}+jwt`,
          kid: expect.any(String) as string,
        });
      },
    );

    it('have one issuer, whatever the host', async () => {
      const other = service.client();
      const login = { type: 'password', username: 'ann', password: PASSWORD };
      const answer = await other.post('/api/auth/login', login, { headers: { host: 'id.example.org' } });
      expect(answer.status).toBe(200);
      expect(decodeJwt(accessOf(other)).iss).toBe('urn:castellan:iam');
    });

    it('never repeat a jti', () => {
      expect(decodeJwt(access).jti).not.toBe(decodeJwt(refresh).jti);
    });

    it('are verifiable with the published key, which has no private part', async () => {
      const answer = await client.get<{ keys: Record<string, unknown>[] }>('/.well-known/jwks.json');
      const { kid } = decodeProtectedHeader(access);
      expect(answer.body.keys).toContainEqual(
        expect.objectContaining({ kid, kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' }),
      );
      expect(answer.body.keys.every((key) => !('d' in key))).toBe(true);
    });

    it('are rejected after any change', async () => {
      // Control case for all forgeries: a new signature alone does not invalidate a token.
      expect((await withAccess(await resign(service, access))).status).toBe(200);
    });
  });

  describe('forged with the own key', () => {
    it.each<[string, { header?: Record<string, unknown>; claims?: Record<string, unknown> }]>([
      ['another typ', { header: { typ: 'JWT' } }],
      ['the typ of an OAuth access token', { header: { typ: 'at+jwt' } }],
      ['no typ', { header: { typ: undefined } }],
      ['no kid', { header: { kid: undefined } }],
      ['an unknown kid', { header: { kid: '01890000-0000-7000-8000-000000000000' } }],
      ['an empty kid', { header: { kid: '' } }],
      ['a kid that is a path', { header: { kid: '../../../dev/null' } }],
      ['a kid that is SQL', { header: { kid: "' OR '1'='1" } }],
      ['a kid that is a list', { header: { kid: ['a'] } }],
      ['a kid that is an object', { header: { kid: { a: 1 } } }],
      ['a kid with a NUL', { header: { kid: '\0' } }],
      ['a kid named like a property of objects', { header: { kid: '__proto__' } }],
      ['the type of the other token', { claims: { type: 'refresh' } }],
      ['no type', { claims: { type: undefined } }],
      ['another issuer', { claims: { iss: 'urn:castellan:shop' } }],
      ['no issuer', { claims: { iss: undefined } }],
      ['no user', { claims: { uid: undefined } }],
      ['a user that is a list', { claims: { uid: ['a'] } }],
      ['no version', { claims: { ver: undefined } }],
      ['a version without a counter', { claims: { ver: 'abc' } }],
      ['counter 0', { claims: { ver: '01890000-0000-7000-8000-000000000000.0' } }],
      ['a version that is a number', { claims: { ver: 1 } }],
      ['an invalid session id', { claims: { ver: `${'-'.repeat(36)}.1` } }],
      ['no expiry', { claims: { exp: undefined } }],
      ['an expiry that is a text', { claims: { exp: '9999999999' } }],
      ['no issue time', { claims: { iat: undefined } }],
      ['no id', { claims: { jti: undefined } }],
      ['an issue time in the future', { claims: { nbf: 9_999_999_999 } }],
    ])('rejects an access token with %s', async (_, change) => {
      expectInvalid(await withAccess(await resign(service, access, change)));
    });

    it.each([
      ['an unknown critical header', { crit: ['x'], x: 1 }],
      ['a critical list that is empty', { crit: [] }],
      ['an unencoded payload', { crit: ['b64'], b64: false }],
    ])('rejects a header with %s', async (_, header) => {
      expectInvalid(await withAccess(await resign(service, access, { header })));
    });
  });

  describe('forged without the key', () => {
    it.each(['none', 'None', 'NONE', 'nOnE'])('rejects alg %s with and without a signature', async (alg) => {
      const [, claims, signature] = partsOf(access);
      const header = base64url({ ...decodeProtectedHeader(access), alg });
      expectInvalid(await withAccess(`${header}.${claims}.`));
      expectInvalid(await withAccess(`${header}.${claims}.${signature}`));
    });

    it('rejects HS256 with the public key as its secret', async () => {
      const { body } = await client.get<{ keys: Record<string, unknown>[] }>('/.well-known/jwks.json');
      const { privateKey, kid } = await service.app.get(SigningKeysService).current('session');
      const pem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString();
      const input = `${base64url({ alg: 'HS256', typ: 'session-access+jwt', kid })}.${partsOf(access)[1]}`;
      for (const secret of [pem, pem.trim(), ` ${pem}`, JSON.stringify(body.keys[0])]) {
        expectInvalid(await withAccess(`${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`));
      }
    });

    it('never uses a key that the token contains or links to', async () => {
      const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const jwk = await exportJWK(own.publicKey);
      const { kid } = decodeProtectedHeader(access);
      const claims = decodeJwt(access);
      const base = { alg: 'ES256', typ: 'session-access+jwt' };
      for (const header of [
        { kid },
        { kid, jwk },
        { jwk },
        { kid, jku: 'https://evil.example/jwks.json' },
        { kid, x5u: 'https://evil.example/cert.pem' },
        { kid, x5c: ['MIIB'] },
      ]) {
        expectInvalid(await withAccess(signed({ ...base, ...header }, claims, own.privateKey)));
      }
    });

    it.each(['RS256', 'PS256', 'EdDSA', 'ES384', 'ES256K'])('rejects the algorithm %s', async (alg) => {
      const [, claims, signature] = partsOf(access);
      expectInvalid(await withAccess(`${base64url({ ...decodeProtectedHeader(access), alg })}.${claims}.${signature}`));
    });

    it('rejects a signature that is empty, truncated or of another token', async () => {
      const [header, claims, signature] = partsOf(access);
      for (const other of ['', signature.slice(0, 40), partsOf(refresh)[2], 'A'.repeat(86)]) {
        expectInvalid(await withAccess(`${header}.${claims}.${other}`));
      }
    });
  });

  describe('used as the other type', () => {
    it('are rejected: a refresh token except for refresh, an access token for refresh', async () => {
      expectInvalid(await withAccess(refresh));
      expectInvalid(await withRefresh(access));
      const body = await service.client().post<Problem>('/api/auth/refresh', { refresh_token: access });
      expectInvalid(body);
    });
  });

  describe('expiry', () => {
    it('of an access token is exact to the second and revokes nothing', async () => {
      await service.set(accessTtl, 1);
      try {
        const short = await service.logIn('ann');
        await eventually(
          () => short.get<Problem>('/api/auth/me'),
          ({ body }) => body.code === 'token_expired',
          3,
        );
        expect(service.app.get(DatabaseClock).now()).toBeGreaterThanOrEqual(decodeJwt(accessOf(short)).exp! * 1_000);
        expect((await short.post('/api/auth/refresh')).status).toBe(200);
      } finally {
        await service.set(accessTtl, accessTtl.defaultValue);
      }
    });

    it('is also reported for a token that was cached while valid', async () => {
      const token = await resign(service, access, { claims: { exp: Math.floor(Date.now() / 1_000) + 2 } });
      expect((await withAccess(token)).status).toBe(200);
      await eventually(
        () => withAccess(token),
        ({ status, body }) => status === 401 && body.code === 'token_expired',
        4,
      );
    });
  });

  describe('malformed', () => {
    it.each([
      ['empty', ''],
      ['a word', 'garbage'],
      ['one dot', 'a.b'],
      ['four dots', 'a.b.c.d.e'],
      ['dots alone', '..'],
      ['invalid base64url', '!!!.???.***'],
      ['base64 that is no JSON', 'YWJj.YWJj.YWJj'],
      ['JSON of another kind', `${base64url([1])}.${base64url(1)}.YWJj`],
      ['JSON null', `${base64url(null)}.${base64url(null)}.YWJj`],
      ['8 KiB', 'a'.repeat(8_192)],
      ['8 KiB of dots', '.'.repeat(8_192)],
      ['percent-encoding of invalid UTF-8', '%ff%fe.%80.%c0'],
      ['non-ASCII bytes', 'ÿþ.ÿ.þ'],
      ['NUL', '%00'],
      ['the name of a property of objects', '__proto__'],
    ])('rejects a cookie that is %s without an internal error', async (_, value) => {
      expectInvalid(await withAccess(value));
      expectInvalid(await withRefresh(value));
    });

    it.each([
      ['garbage', 'garbage'],
      ['a lone scheme', 'Bearer'],
      ['another scheme', 'Basic YW5uOnB3'],
      ['two tokens', 'Bearer a.b.c, Bearer a.b.c'],
      ['8 KiB', `Bearer ${'a'.repeat(8_192)}.a.a`],
      ['a malformed token', 'Bearer a.b.c'],
    ])('rejects an authorization header of %s', async (_, authorization) => {
      expectInvalid(await service.client().get<Problem>('/api/auth/me', { headers: { authorization } }));
    });
  });

  describe('as bearer token', () => {
    const me = (headers: Record<string, string>, cookie?: string): Promise<Answer<Problem>> =>
      service.client().get<Problem>('/api/auth/me', { headers, ...(cookie !== undefined && { cookie }) });

    it('works like the cookie if it is an access token and there is no cookie', async () => {
      expect((await me({ authorization: `Bearer ${access}` })).status).toBe(200);
      expect((await me({ authorization: `bearer ${access}` })).status).toBe(200);
      expect((await me({ authorization: `Bearer ${access}` }, 'theme=dark')).status).toBe(200);
    });

    it('is ignored beside either of the cookies', async () => {
      const authorization = `Bearer ${access}`;
      expectInvalid(await me({ authorization }, 'iam_access=garbage'));
      expectInvalid(await me({ authorization }, 'iam_refresh=garbage'));
      expectInvalid(await me({ authorization }, `iam_refresh=${refresh}`));
    });

    it('is rejected if it is a refresh token', async () => {
      expectInvalid(await me({ authorization: `Bearer ${refresh}` }));
    });

    it('is not read from query or body', async () => {
      const query = await service.client().get<Problem>(`/api/auth/me?access_token=${access}`);
      expect(query.status).toBe(401);
      const body = await service.client().post<Problem>('/api/auth/logout', { access_token: access });
      expect(body.status).toBe(401);
    });
  });

  describe('key ring', () => {
    const addKey = async (target: TestService): Promise<string> => {
      const kid = newId();
      const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      const jwk = { ...(await exportJWK(pair.publicKey)), kid, alg: 'ES256', use: 'sig' };
      await target.query(
        `INSERT INTO signing_key (id, usage, algorithm, public_jwk, private_key, signs_from)
         VALUES ($1, 'session', 'ES256', $2::jsonb, $3, now())`,
        [kid, JSON.stringify(jwk), target.app.get(SecretBox).seal(pem, `signing_key|${kid}|private_key`)],
      );
      return kid;
    };

    it('signs with the newest key, verifies with older ones, and drops a retired one within a second', async () => {
      const ring = await TestService.start();
      try {
        const bob = await ring.signUp('bob');
        const old = { kid: decodeProtectedHeader(accessOf(bob)).kid, cookie: bob.cookie };
        const kid = await addKey(ring);
        const fresh = await eventually(
          () => ring.logIn('bob'),
          (login) => decodeProtectedHeader(accessOf(login)).kid === kid,
          3,
        );
        expect((await fresh.get('/api/auth/me')).status).toBe(200);
        expect((await bob.get('/api/auth/me')).status).toBe(200);
        // Sessions continue: the next refresh of an old session is signed with the new key.
        expect((await bob.post('/api/auth/refresh')).status).toBe(200);
        expect(decodeProtectedHeader(accessOf(bob)).kid).toBe(kid);

        await ring.query('UPDATE signing_key SET retired_at = now() WHERE id = $1', [old.kid]);
        const rejected = await eventually(
          () => ring.client().get<Problem>('/api/auth/me', { cookie: old.cookie }),
          ({ status }) => status === 401,
          3,
        );
        expectProblem(rejected, 401, 'unauthenticated');
        expect((await bob.get('/api/auth/me')).status).toBe(200);
      } finally {
        await ring.stop();
      }
    });

    it('verifies a token of an instance with a newer key immediately', async () => {
      const ring = await TestService.start();
      try {
        const other = await ring.another();
        const bob = await ring.signUp('bob');
        expect((await other.client().get('/api/auth/me', { cookie: bob.cookie })).status).toBe(200);
        await addKey(ring);
        const fresh = await ring.another();
        const login = await fresh.logIn('bob');
        expect((await other.client().get('/api/auth/me', { cookie: login.cookie })).status).toBe(200);
      } finally {
        await ring.stop();
      }
    });
  });
});
