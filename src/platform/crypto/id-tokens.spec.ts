import { exportJWK, generateKeyPair, JWTPayload, SignJWT } from 'jose';
import { IdTokenError, IdTokenRules, IdTokenVerifier, unverifiedIdToken, unverifiedSubject } from './id-tokens';

const NOW = 1_700_000_000;
const CLAIMS = { iss: 'https://idp.example', aud: 'app', sub: '4711', nonce: 'the nonce', iat: NOW, exp: NOW + 60 };
const RULES: IdTokenRules = { issuer: CLAIMS.iss, audience: 'app', nonce: 'the nonce' };
const CURVES = ['ES256', 'ES384', 'ES512', 'EdDSA'];
const RSA = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];

type PrivateKey = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];
const privateKeys = new Map<string, PrivateKey>();
let verifier: IdTokenVerifier;

beforeAll(async () => {
  const published: object[] = [];
  for (const alg of [...CURVES, 'RS256']) {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    privateKeys.set(alg, privateKey);
    published.push({ ...(await exportJWK(publicKey)), kid: alg });
  }
  for (const alg of RSA) privateKeys.set(alg, privateKeys.get('RS256')!);
  verifier = new IdTokenVerifier('https://idp.example/jwks', () =>
    Promise.resolve(JSON.stringify({ keys: published })),
  );
});

/** Sets the clock only: timers are real. */
const timers = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
] as const;
const others = ['hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const;
beforeEach(() => jest.useFakeTimers({ now: NOW * 1_000, doNotFake: [...timers, ...others] }));
afterEach(() => jest.useRealTimers());

async function signed(claims: JWTPayload = {}, alg = 'ES256', typ?: string): Promise<string> {
  const kid = RSA.includes(alg) ? 'RS256' : alg;
  // Imported again, because a web key is bound to one algorithm.
  const key = privateKeys.get(alg)!;
  const usable = alg === kid ? key : { ...(await exportJWK(key)), alg };
  return new SignJWT({ ...CLAIMS, ...claims })
    .setProtectedHeader({ alg, kid, ...(typ !== undefined && { typ }) })
    .sign(usable);
}

const verify = async (claims: JWTPayload, rules: Partial<IdTokenRules> = {}): Promise<string> =>
  verifier.verify(await signed(claims), { ...RULES, ...rules }).then(
    ({ sub }) => sub,
    (error: unknown) => (error instanceof IdTokenError ? error.reason : String(error)),
  );

describe('IdTokenVerifier', () => {
  it.each([...CURVES, ...RSA])('accepts the algorithm %s', async (alg) => {
    expect(await verifier.verify(await signed({}, alg), RULES)).toEqual(CLAIMS);
  });

  it('rejects a token that a secret signs', async () => {
    const token = await new SignJWT(CLAIMS).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.alloc(32, 1));
    await expect(verifier.verify(token, RULES)).rejects.toMatchObject({
      name: 'IdTokenError',
      reason: 'ERR_JOSE_ALG_NOT_ALLOWED',
    });
  });

  it.each<[string, JWTPayload, string]>([
    ['no issuer', { iss: undefined }, 'iss'],
    ['another issuer', { iss: 'https://evil.example' }, 'iss'],
    ['another audience', { aud: 'other' }, 'aud'],
    ['another nonce', { nonce: 'other' }, 'nonce'],
    ['no nonce', { nonce: undefined }, 'nonce'],
    ['several audiences', { aud: ['app', 'other'] }, 'azp'],
    ['another authorized party', { azp: 'other' }, 'azp'],
    ['another authorized party of several', { aud: ['app', 'other'], azp: 'other' }, 'azp'],
    ['no subject', { sub: undefined }, 'sub'],
    ['an empty subject', { sub: '' }, 'sub'],
    ['a subject that is no text', { sub: 7 as unknown as string }, 'sub'],
    ['a subject of 256 characters', { sub: 's'.repeat(256) }, 'sub'],
    ['no end', { exp: undefined }, 'exp'],
    ['an end 30 seconds ago', { exp: NOW - 30 }, 'ERR_JWT_EXPIRED'],
    ['no time', { iat: undefined }, 'iat'],
  ])('rejects a token with %s', async (_, claims, reason) => {
    expect(await verify(claims)).toBe(reason);
  });

  it.each<[string, JWTPayload]>([
    ['one audience in a list', { aud: ['app'] }],
    ['several audiences of which it is the authorized party', { aud: ['app', 'other'], azp: 'app' }],
    ['an end 29 seconds ago', { exp: NOW - 29 }],
  ])('accepts a token with %s', async (_, claims) => {
    expect(await verify(claims)).toBe('4711');
  });

  it('accepts a subject of 255 characters', async () => {
    expect(await verify({ sub: 's'.repeat(255) })).toHaveLength(255);
  });

  it('reads the issuer from the claims when the rules say so', async () => {
    const issuer = ({ tid }: JWTPayload): string | undefined => (tid === 'acme' ? CLAIMS.iss : undefined);
    expect(await verify({ tid: 'acme' }, { issuer })).toBe('4711');
    expect(await verify({ tid: 'other' }, { issuer })).toBe('iss');
  });

  it.each(['at+jwt', 'application/at+jwt', 'logout+jwt', 'secevent+jwt', 'DPoP+JWT'])(
    'rejects a token of the type %s',
    async (typ) => {
      const token = await signed({}, 'ES256', typ);
      await expect(verifier.verify(token, RULES)).rejects.toMatchObject({ reason: 'typ' });
      await expect(verifier.verifyUserinfo(token, RULES)).rejects.toMatchObject({ reason: 'typ' });
    },
  );

  it.each([undefined, 'JWT', 'jwt', 'application/jwt', 'JOSE', 'id_token+jwt'])(
    'accepts a token of the type %s',
    async (typ) => {
      expect(await verifier.verify(await signed({}, 'ES256', typ), RULES)).toEqual(CLAIMS);
    },
  );

  it('rejects a logout token', async () => {
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    expect(await verify({ events })).toBe('events');
    await expect(verifier.verifyUserinfo(await signed({ events }), RULES)).rejects.toMatchObject({ reason: 'events' });
  });

  it.each<[string, JWTPayload, string]>([
    ['no issuer', { iss: undefined }, 'iss'],
    ['another issuer', { iss: 'https://evil.example' }, 'iss'],
    ['no audience', { aud: undefined }, 'aud'],
    ['another audience', { aud: 'other' }, 'aud'],
    ['no subject', { sub: undefined }, 'sub'],
    ['an end in the past', { exp: NOW - 60 }, 'ERR_JWT_EXPIRED'],
  ])('rejects signed user info with %s', async (_, claims, reason) => {
    await expect(verifier.verifyUserinfo(await signed(claims), RULES)).rejects.toMatchObject({ reason });
  });

  it('accepts signed user info without times and nonce, for several audiences', async () => {
    const claims = { exp: undefined, iat: undefined, nonce: undefined, aud: ['other', 'app'] };
    expect(await verifier.verifyUserinfo(await signed(claims), RULES)).toMatchObject({ sub: '4711' });
  });

  it('passes on an error of the fetch', async () => {
    const broken = new IdTokenVerifier('https://idp.example/jwks', () => Promise.reject(new RangeError('too long')));
    await expect(broken.verify(await signed(), RULES)).rejects.toThrow('too long');
  });
});

describe('unverified ID tokens', () => {
  it('are read up to the key, the algorithm, the audience and the subject', async () => {
    const token = await signed();
    expect(unverifiedIdToken(token)).toEqual({ kid: 'ES256', algorithm: 'ES256', audience: 'app' });
    expect(unverifiedSubject(token)).toBe('4711');
  });

  it('are nothing without a key, with several audiences, or if they are rubbish', async () => {
    const keyless = await new SignJWT(CLAIMS).setProtectedHeader({ alg: 'ES256' }).sign(privateKeys.get('ES256')!);
    expect([keyless, await signed({ aud: ['app'] }), 'rubbish'].map(unverifiedIdToken)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(unverifiedSubject('rubbish')).toBeUndefined();
  });
});
