import { createPrivateKey, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { KeyFormatError, readEs256Jwt, signEs256Jwt, signRsaSha256, verifyRsaSha256 } from './signatures';

const decode = (part = ''): string => Buffer.from(part, 'base64url').toString('utf8');

/** RFC 7515 appendix A.2: RSASSA-PKCS1-v1_5 with SHA-256, which Alipay calls RSA2. */
const RSA = {
  kty: 'RSA',
  n: 'ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ',
  e: 'AQAB',
};
const RSA_INPUT =
  'eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ';
const RSA_SIGNATURE =
  'cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw';

describe('SHA256withRSA signatures', () => {
  const publicKey = createPublicKey({ key: RSA, format: 'jwk' });
  const signature = Buffer.from(RSA_SIGNATURE, 'base64url').toString('base64');

  it.each<[string, string]>([
    ['PEM', publicKey.export({ type: 'spki', format: 'pem' }).toString()],
    ['bare base64', publicKey.export({ type: 'spki', format: 'der' }).toString('base64')],
    ['bare base64 of PKCS #1', publicKey.export({ type: 'pkcs1', format: 'der' }).toString('base64')],
  ])('verifies the example of RFC 7515 A.2 with a key in %s', (_, key) => {
    expect(verifyRsaSha256(RSA_INPUT, signature, key)).toBe(true);
    expect(verifyRsaSha256(`${RSA_INPUT}.`, signature, key)).toBe(false);
    expect(verifyRsaSha256(RSA_INPUT, 'AAAA', key)).toBe(false);
  });

  it.each<['pkcs1' | 'pkcs8', 'pem' | 'der']>([
    ['pkcs1', 'pem'],
    ['pkcs8', 'pem'],
    ['pkcs1', 'der'],
    ['pkcs8', 'der'],
  ])('signs with a key in %s %s', (type, format) => {
    const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key =
      format === 'pem'
        ? pair.privateKey.export({ type, format }).toString()
        : pair.privateKey.export({ type, format }).toString('base64');
    const text = 'a=1&b=中文';
    const proof = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    expect(verifyRsaSha256(text, signRsaSha256(text, key), proof)).toBe(true);
  });

  it('rejects other keys', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect(() => signRsaSha256('', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())).toThrow(
      KeyFormatError,
    );
    expect(() => signRsaSha256('', 'rubbish')).toThrow(KeyFormatError);
    expect(`${new KeyFormatError()}`).toBe('KeyFormatError: The key cannot be read');
  });
});

/** Key of RFC 7515 appendix A.3. */
const EC = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  d: 'jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI',
};

describe('ES256 JWTs', () => {
  it('signs a JWT in the form of RFC 7515 A.3', () => {
    const key = createPrivateKey({ key: EC, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' }).toString();
    const publicKey = createPublicKey({ key: EC, format: 'jwk' });
    const proves = (jwt: string): boolean => {
      const [header, claims, signature = ''] = jwt.split('.');
      const input = Buffer.from(`${header}.${claims}`, 'ascii');
      return verify(
        'sha256',
        input,
        { key: publicKey, dsaEncoding: 'ieee-p1363' },
        Buffer.from(signature, 'base64url'),
      );
    };
    const published =
      'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q';
    expect(proves(published)).toBe(true);

    const jwt = signEs256Jwt({ kid: 'KEY' }, { iss: 'TEAM' }, key);
    const [header, claims, signature] = jwt.split('.');
    expect([header, claims].map((part) => JSON.parse(decode(part)) as unknown)).toEqual([
      { alg: 'ES256', kid: 'KEY' },
      { iss: 'TEAM' },
    ]);
    // RFC 7518 §3.4: two integers of 32 bytes each, not DER.
    expect(Buffer.from(signature ?? '', 'base64url')).toHaveLength(64);
    expect(proves(jwt)).toBe(true);
  });

  it('signs only with a P-256 key', () => {
    for (const namedCurve of ['P-384', 'secp256k1']) {
      const { privateKey } = generateKeyPairSync('ec', { namedCurve });
      const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      expect(() => signEs256Jwt({}, {}, key)).toThrow(KeyFormatError);
    }
  });

  it('reads only JWTs of the type and with the key of their header', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const read = (jwt: string): unknown =>
      readEs256Jwt(jwt, 'own+jwt', (kid) => (kid === 'k1' ? publicKey : undefined));
    const signed = (header: object): string =>
      signEs256Jwt({ typ: 'own+jwt', kid: 'k1', ...header }, { sub: 'Ä' }, privateKey);
    const jwt = signed({});
    expect(read(jwt)).toEqual({ sub: 'Ä' });
    for (const header of [{ typ: 'at+jwt' }, { typ: undefined }, { kid: 'k2' }, { kid: 7 }, { alg: 'none' }]) {
      expect(read(signed(header))).toBeUndefined();
    }
    const [head, body, signature] = jwt.split('.');
    expect(read(`${jwt}.`)).toBeUndefined();
    expect(read(`${head}.${body}`)).toBeUndefined();
    expect(read(`${head}.${body}A.${signature}`)).toBeUndefined();
    expect(read(`rubbish.${body}.${signature}`)).toBeUndefined();
  });
});
