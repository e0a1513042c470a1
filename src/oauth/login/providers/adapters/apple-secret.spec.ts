import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { AppleAdapter } from './oidc-presets';

/**
 * The example of https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret.
 * Apple publishes no signature for it. The tests of the signing function check ES256 against RFC 7515 A.3.
 */
it('builds the client secret JWT that Apple documents', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const adapter = new AppleAdapter();
  const before = Math.floor(Date.now() / 1_000);
  const secret = adapter.clientSecret({
    id: '',
    version: 1,
    name: 'apple',
    template: 'apple',
    clientId: 'com.mytest.app',
    clientSecret: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    scopes: [],
    mapping: adapter.preset.mapping,
    params: { team_id: 'DEF123GHIJ', key_id: 'ABC123DEFG' },
    pkce: false,
    withoutUserinfo: false,
    ...adapter.preset.endpoints,
  });
  const [header = '', claims = '', signature = ''] = secret.split('.');
  const read = (part: string): Record<string, unknown> =>
    JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Record<string, unknown>;
  expect(read(header)).toEqual({ alg: 'ES256', kid: 'ABC123DEFG' });
  const { iat, exp, ...rest } = read(claims) as { iat: number; exp: number };
  expect(rest).toEqual({ iss: 'DEF123GHIJ', aud: 'https://appleid.apple.com', sub: 'com.mytest.app' });
  expect(iat).toBeGreaterThanOrEqual(before);
  // Apple accepts at most six months (15777000 s).
  expect(exp - iat).toBeGreaterThan(0);
  expect(exp - iat).toBeLessThanOrEqual(15_777_000);
  const key = { key: createPublicKey(privateKey), dsaEncoding: 'ieee-p1363' as const };
  expect(verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
});
