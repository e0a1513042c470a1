import { generateKeys, readKeys, toJwk, toPem } from './key-pair';

describe('key pairs', () => {
  it('are P-256 keys for ES256', async () => {
    const { privateKey, publicKey } = await generateKeys('ES256');
    expect(privateKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
    expect(await toJwk(publicKey, 'k1', 'ES256')).toEqual({
      kty: 'EC',
      crv: 'P-256',
      x: expect.stringMatching(/^[\w-]{43}$/) as string,
      y: expect.stringMatching(/^[\w-]{43}$/) as string,
      kid: 'k1',
      alg: 'ES256',
      use: 'sig',
    });
  });

  it('are RSA keys of 2,048 bits for RS256', async () => {
    const { privateKey } = await generateKeys('RS256');
    expect(privateKey.asymmetricKeyType).toBe('rsa');
    expect(privateKey.asymmetricKeyDetails?.modulusLength).toBe(2_048);
  });

  it('are stored as PEM and read again with their public key', async () => {
    const pair = await generateKeys('ES256');
    const pem = toPem(pair);
    expect(pem).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
    const read = readKeys(pem);
    expect(read.privateKey.equals(pair.privateKey)).toBe(true);
    expect(read.publicKey.equals(pair.publicKey)).toBe(true);
  });
});
