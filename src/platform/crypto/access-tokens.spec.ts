import { JWTPayload, SignJWT } from 'jose';
import { AccessTokenRules, isAccessToken, verifyAccessToken, verifyClientToken } from './access-tokens';
import { generateKeys, KeyPair } from './key-pair';

const NOW = 1_700_000_000;
const CLAIMS = {
  iss: 'https://id.example.com',
  aud: 'https://crm.example.com',
  sub: 'ann',
  client_id: 'app',
  scope: 'contact:read  contact:write',
  iat: NOW,
  exp: NOW + 300,
  jti: 'the-token',
};

let keys: KeyPair;

beforeAll(async () => {
  keys = await generateKeys('ES256');
});

const rules = (more: Partial<AccessTokenRules> = {}): AccessTokenRules => ({
  issuer: CLAIMS.iss,
  audiences: [CLAIMS.aud, 'https://other.example.com'],
  now: new Date(NOW * 1_000),
  findKey: (kid) => (kid === 'k1' ? keys.publicKey : undefined),
  ...more,
});

const signed = (claims: JWTPayload = {}, header: object = {}): Promise<string> =>
  new SignJWT({ ...CLAIMS, ...claims })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'k1', ...header })
    .sign(keys.privateKey);

describe('isAccessToken', () => {
  it('finds the type in the header', async () => {
    expect(isAccessToken(await signed())).toBe(true);
    expect(isAccessToken(await signed({}, { typ: 'JWT' }))).toBe(false);
    expect(isAccessToken('rubbish')).toBe(false);
  });

  it('reads up to 8,192 characters', async () => {
    const token = await signed();
    expect(isAccessToken(token.padEnd(8_192, 'A'))).toBe(true);
    expect(isAccessToken(token.padEnd(8_193, 'A'))).toBe(false);
  });
});

describe('verifyAccessToken', () => {
  it('returns the claims', async () => {
    const own = { grant: 'digest', organization_id: 'acme', login_method: 'password', cnf: { jkt: 'thumbprint' } };
    expect(await verifyAccessToken(await signed(own), rules())).toEqual({
      clientId: 'app',
      scopes: ['contact:read', 'contact:write'],
      issuedAt: NOW * 1_000,
      subject: 'ann',
      audience: CLAIMS.aud,
      tokenId: 'the-token',
      expiresAt: NOW + 300,
      grantDigest: 'digest',
      organizationId: 'acme',
      loginMethod: 'password',
      keyThumbprint: 'thumbprint',
    });
  });

  it('leaves out optional claims that the token does not have', async () => {
    expect(await verifyAccessToken(await signed({ scope: undefined, grant: 7 }), rules())).toMatchObject({
      scopes: [],
      grantDigest: undefined,
      organizationId: undefined,
      loginMethod: undefined,
      keyThumbprint: undefined,
    });
  });

  it.each<[string, JWTPayload, object?]>([
    ['another issuer', { iss: 'https://evil.example.com' }],
    ['another audience', { aud: 'https://evil.example.com' }],
    ['two audiences', { aud: [CLAIMS.aud, 'https://other.example.com'] }],
    ['no subject', { sub: undefined }],
    ['no client', { client_id: undefined }],
    ['a client that is no text', { client_id: 7 }],
    ['a scope that is no text', { scope: ['contact:read'] }],
    ['no id', { jti: undefined }],
    ['no time', { iat: undefined }],
    ['no end', { exp: undefined }],
    ['an end now', { exp: NOW }],
    ['another type', {}, { typ: 'JWT' }],
    ['an unknown key', {}, { kid: 'k2' }],
    ['no key', {}, { kid: undefined }],
  ])('rejects a token with %s', async (_, claims, header = {}) => {
    expect(await verifyAccessToken(await signed(claims, header), rules())).toBeUndefined();
  });

  it('rejects rubbish and passes on an error of the key lookup', async () => {
    expect(await verifyAccessToken('rubbish', rules())).toBeUndefined();
    const findKey = (): Promise<never> => Promise.reject(new RangeError('database gone'));
    await expect(verifyAccessToken(await signed(), rules({ findKey }))).rejects.toThrow('database gone');
  });
});

describe('verifyClientToken', () => {
  it('accepts only a bearer token that the client obtained for itself', async () => {
    expect(await verifyClientToken(await signed({ sub: 'app' }), rules())).toMatchObject({ clientId: 'app' });
    expect(await verifyClientToken(await signed(), rules())).toBeUndefined();
    expect(await verifyClientToken(await signed({ sub: 'app', cnf: { jkt: 'thumbprint' } }), rules())).toBeUndefined();
    expect(await verifyClientToken(await signed({ sub: 'app', cnf: {} }), rules())).toBeUndefined();
    expect(await verifyClientToken('rubbish', rules())).toBeUndefined();
  });
});
