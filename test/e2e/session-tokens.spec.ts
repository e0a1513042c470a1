import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, exportJWK } from 'jose';
import { SigningKeysService } from '../../src/session';
import { newId, SecretBox } from '../../src/platform/crypto';
import { DatabaseClock } from '../../src/platform/database';
import { accessTtl } from '../../src/session/session.settings';
import { accessOf, base64url, partsOf, refreshOf, resign, sessionOf, signed } from '../support/session-tokens';
import type { Answer, Problem, TestClient } from '../support/test-client';
import { eventually, TestService } from '../support/test-service';

describe('session tokens', () => {
  let service: TestService;
  let client: TestClient;
  let access: string;
  let refresh: string;

  beforeAll(async () => {
    service = await TestService.start();
    client = await service.signUp('ann');
    access = accessOf(client);
    refresh = refreshOf(client);
  });

  afterAll(() => service.stop());

  const withAccess = (token: string): Promise<Answer<Problem>> =>
    service.client().get<Problem>('/api/auth/me', { cookie: `iam_access=${token}` });

  const withRefresh = (token: string): Promise<Answer<Problem>> =>
    service.client().post<Problem>('/api/auth/refresh', undefined, { cookie: `iam_refresh=${token}` });

  const expectRefused = (answer: Answer<Problem>): void => {
    expect(`${answer.status} ${answer.body.code}`).toBe('401 unauthenticated');
    expect(answer.setCookies).toEqual([]);
  };

  describe('what they say', () => {
    it.each(['access', 'refresh'])(
      'the %s token claims user, type and version beside the registered names, no more',
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

    it('keeps one issuer whatever the host', async () => {
      const other = service.client();
      const answer = await other.post(
        '/api/auth/login',
        { type: 'password', username: 'ann', password: 'correct horse battery staple' },
        { headers: { host: 'id.example.org' } },
      );
      expect(answer.status).toBe(200);
      expect(decodeJwt(accessOf(other)).iss).toBe('urn:castellan:iam');
    });

    it('gives no two tokens one id', () => {
      expect(decodeJwt(access).jti).not.toBe(decodeJwt(refresh).jti);
    });

    it('publishes the key that signs, and nothing private', async () => {
      const answer = await client.get<{ keys: Record<string, unknown>[] }>('/.well-known/jwks.json');
      const { kid } = decodeProtectedHeader(access);
      expect(answer.body.keys).toContainEqual(
        expect.objectContaining({ kid, kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' }),
      );
      expect(answer.body.keys.every((key) => !('d' in key))).toBe(true);
    });

    it('lets a forged token stand only when nothing at all was changed', async () => {
      // What every test of a forgery rests on: signing anew by itself breaks nothing.
      expect((await withAccess(await resign(service, access))).status).toBe(200);
    });
  });

  describe('forged with the own key', () => {
    it.each<[string, { header?: Record<string, unknown>; claims?: Record<string, unknown> }]>([
      ['another typ', { header: { typ: 'JWT' } }],
      ['the typ of an OAuth access token', { header: { typ: 'at+jwt' } }],
      ['no typ', { header: { typ: undefined } }],
      ['no kid', { header: { kid: undefined } }],
      ['a kid nobody knows', { header: { kid: '01890000-0000-7000-8000-000000000000' } }],
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
      ['the counter 0', { claims: { ver: '01890000-0000-7000-8000-000000000000.0' } }],
      ['a version that is a number', { claims: { ver: 1 } }],
      ['a session id that is none', { claims: { ver: `${'-'.repeat(36)}.1` } }],
      ['no end', { claims: { exp: undefined } }],
      ['an end that is a text', { claims: { exp: '9999999999' } }],
      ['no beginning', { claims: { iat: undefined } }],
      ['no id', { claims: { jti: undefined } }],
      ['a beginning that is yet to come', { claims: { nbf: 9_999_999_999 } }],
    ])('an access token with %s is nobody', async (_, change) => {
      expectRefused(await withAccess(await resign(service, access, change)));
    });

    it.each([
      ['an unknown critical header', { crit: ['x'], x: 1 }],
      ['a critical list that is empty', { crit: [] }],
      ['an unencoded payload', { crit: ['b64'], b64: false }],
    ])('a header with %s is nobody', async (_, header) => {
      expectRefused(await withAccess(await resign(service, access, { header })));
    });
  });

  describe('forged without it', () => {
    it.each(['none', 'None', 'NONE', 'nOnE'])('alg %s is nobody, with and without a signature', async (alg) => {
      const [, claims, signature] = partsOf(access);
      const header = base64url({ ...decodeProtectedHeader(access), alg });
      expectRefused(await withAccess(`${header}.${claims}.`));
      expectRefused(await withAccess(`${header}.${claims}.${signature}`));
    });

    it('HS256 with the public key as its secret is nobody', async () => {
      const { body } = await client.get<{ keys: Record<string, unknown>[] }>('/.well-known/jwks.json');
      const { privateKey, kid } = await service.app.get(SigningKeysService).current('session');
      const pem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString();
      const input = `${base64url({ alg: 'HS256', typ: 'session-access+jwt', kid })}.${partsOf(access)[1]}`;
      for (const secret of [pem, pem.trim(), ` ${pem}`, JSON.stringify(body.keys[0])]) {
        expectRefused(await withAccess(`${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`));
      }
    });

    it('a key the token brings along, or points to, is never used', async () => {
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
        expectRefused(await withAccess(signed({ ...base, ...header }, claims, own.privateKey)));
      }
    });

    it.each(['RS256', 'PS256', 'EdDSA', 'ES384', 'ES256K'])('the algorithm %s is not taken', async (alg) => {
      const [, claims, signature] = partsOf(access);
      expectRefused(await withAccess(`${base64url({ ...decodeProtectedHeader(access), alg })}.${claims}.${signature}`));
    });

    it('a signature that is empty, cut short or of another token is refused', async () => {
      const [header, claims, signature] = partsOf(access);
      for (const other of ['', signature.slice(0, 40), partsOf(refresh)[2], 'A'.repeat(86)]) {
        expectRefused(await withAccess(`${header}.${claims}.${other}`));
      }
    });
  });

  describe('taken for another kind', () => {
    it('a refresh token opens nothing but the refresh, an access token everything but it', async () => {
      expectRefused(await withAccess(refresh));
      expectRefused(await withRefresh(access));
      const body = await service.client().post<Problem>('/api/auth/refresh', { refresh_token: access });
      expectRefused(body);
    });
  });

  describe('out of date', () => {
    it('calls an access token expired at its exp, to the second, and revokes nothing', async () => {
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

    it('keeps calling a token expired that it knew while it was good', async () => {
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
      ['no base64url', '!!!.???.***'],
      ['base64 of no JSON', 'YWJj.YWJj.YWJj'],
      ['JSON of another kind', `${base64url([1])}.${base64url(1)}.YWJj`],
      ['JSON null', `${base64url(null)}.${base64url(null)}.YWJj`],
      ['8 KiB', 'a'.repeat(8_192)],
      ['8 KiB of dots', '.'.repeat(8_192)],
      ['percent signs that decode to no UTF-8', '%ff%fe.%80.%c0'],
      ['bytes that are no ASCII', 'ÿþ.ÿ.þ'],
      ['NUL', '%00'],
      ['the name of a property of objects', '__proto__'],
    ])('a cookie that is %s is nobody, never a defect', async (_, value) => {
      expectRefused(await withAccess(value));
      expectRefused(await withRefresh(value));
    });

    it.each([
      ['garbage', 'garbage'],
      ['a lone scheme', 'Bearer'],
      ['another scheme', 'Basic YW5uOnB3'],
      ['two tokens', 'Bearer a.b.c, Bearer a.b.c'],
      ['8 KiB', `Bearer ${'a'.repeat(8_192)}.a.a`],
      ['a malformed token', 'Bearer a.b.c'],
    ])('an authorization header of %s is nobody', async (_, authorization) => {
      expectRefused(await service.client().get<Problem>('/api/auth/me', { headers: { authorization } }));
    });
  });

  describe('as bearer', () => {
    const me = (headers: Record<string, string>, cookie?: string): Promise<Answer<Problem>> =>
      service.client().get<Problem>('/api/auth/me', { headers, ...(cookie !== undefined && { cookie }) });

    it('an access token opens what the cookie opens, where there is no cookie', async () => {
      expect((await me({ authorization: `Bearer ${access}` })).status).toBe(200);
      expect((await me({ authorization: `bearer ${access}` })).status).toBe(200);
      expect((await me({ authorization: `Bearer ${access}` }, 'theme=dark')).status).toBe(200);
    });

    it('counts for nothing beside either of the cookies', async () => {
      const authorization = `Bearer ${access}`;
      expectRefused(await me({ authorization }, 'iam_access=garbage'));
      expectRefused(await me({ authorization }, 'iam_refresh=garbage'));
      expectRefused(await me({ authorization }, `iam_refresh=${refresh}`));
    });

    it('a refresh token is no bearer', async () => {
      expectRefused(await me({ authorization: `Bearer ${refresh}` }));
    });

    it('is not taken from query or body', async () => {
      const query = await service.client().get<Problem>(`/api/auth/me?access_token=${access}`);
      expect(query.status).toBe(401);
      const body = await service.client().post<Problem>('/api/auth/logout', { access_token: access });
      expect(body.status).toBe(401);
    });
  });

  describe('the key ring', () => {
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

    it('signs with the newest key, still knows the older, and forgets a retired one within a second', async () => {
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
        // Nobody is logged out: the next refresh of an old session is signed with the new key.
        expect((await bob.post('/api/auth/refresh')).status).toBe(200);
        expect(decodeProtectedHeader(accessOf(bob)).kid).toBe(kid);

        await ring.query('UPDATE signing_key SET retired_at = now() WHERE id = $1', [old.kid]);
        const refused = await eventually(
          () => ring.client().get<Problem>('/api/auth/me', { cookie: old.cookie }),
          ({ status }) => status === 401,
          3,
        );
        expect(refused.body.code).toBe('unauthenticated');
        expect((await bob.get('/api/auth/me')).status).toBe(200);
      } finally {
        await ring.stop();
      }
    });

    it('a token of an instance that knows a newer key is understood at once by one that does not', async () => {
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
