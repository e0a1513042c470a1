import { decodeJwt, jwtVerify } from 'jose';
import { generateKeys } from './key-pair';
import { signSecurityEvent } from './security-event-tokens';

describe('signSecurityEvent', () => {
  it('signs the claims and the time, without an end', async () => {
    const { privateKey, publicKey } = await generateKeys('RS256');
    const claims = {
      iss: 'https://id.example.com',
      aud: 'https://receiver.example.com',
      jti: 'the-id',
      txn: 'the-transaction',
      sub_id: { format: 'opaque', id: 'ann' },
      events: { 'https://schemas.openid.net/secevent/caep/event-type/session-revoked': {} },
    };
    const token = await signSecurityEvent(claims, new Date(1_700_000_000_999), { kid: 'k1', privateKey });
    const { protectedHeader } = await jwtVerify(token, publicKey);
    expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'secevent+jwt', kid: 'k1' });
    expect(decodeJwt(token)).toEqual({ ...claims, iat: 1_700_000_000 });
  });
});
