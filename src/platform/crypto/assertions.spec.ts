import { decodeJwt, SignJWT } from 'jose';
import { AssertionRules, NewAssertion, signAssertion, verifyAssertion } from './assertions';
import { generateKeys, KeyPair } from './key-pair';

const NOW = 1_700_000_000;
const PARTIES = { issuer: 'https://id.example.com', audience: 'crm' };

let keys: KeyPair;

beforeAll(async () => {
  keys = await generateKeys('ES256');
});

const sign = (more: Partial<NewAssertion> = {}): Promise<string> =>
  signAssertion(
    { ...PARTIES, userId: 'ann', sessionId: 'one', id: 'the-id', now: new Date(NOW * 1_000 + 999), ...more },
    { kid: 'k1', privateKey: keys.privateKey },
  );

const rules = (seconds = NOW, more: Partial<AssertionRules> = {}): AssertionRules => ({
  ...PARTIES,
  now: new Date(seconds * 1_000),
  findKey: (kid) => (kid === 'k1' ? keys.publicKey : undefined),
  ...more,
});

describe('session assertions', () => {
  it('have the claims of the session, and the actor only if there is one', async () => {
    const claims = { iss: PARTIES.issuer, aud: 'crm', sub: 'ann', sid: 'one', jti: 'the-id', iat: NOW, exp: NOW + 60 };
    expect(decodeJwt(await sign())).toEqual(claims);
    expect(decodeJwt(await sign({ actorId: 'bob' }))).toEqual({ ...claims, act: { sub: 'bob' } });
  });

  it('are valid for 60 seconds', async () => {
    const expected = { userId: 'ann', sessionId: 'one', expiresAt: (NOW + 60) * 1_000 };
    expect(await verifyAssertion(await sign(), rules(NOW + 59))).toEqual(expected);
    expect(await verifyAssertion(await sign(), rules(NOW + 60))).toBe('expired');
  });

  it.each<[string, Partial<NewAssertion>]>([
    ['another issuer', { issuer: 'https://evil.example.com' }],
    ['another audience', { audience: 'shop' }],
  ])('of %s are rejected, also after their end', async (_, more) => {
    expect(await verifyAssertion(await sign(more), rules())).toBeUndefined();
    expect(await verifyAssertion(await sign(more), rules(NOW + 60))).toBeUndefined();
  });

  it('are rejected without a text that names the session', async () => {
    const claims = { iss: PARTIES.issuer, aud: 'crm', sub: 'ann', jti: 'the-id', iat: NOW, exp: NOW + 60 };
    for (const sid of [undefined, 7]) {
      const assertion = await new SignJWT({ ...claims, sid })
        .setProtectedHeader({ alg: 'ES256', typ: 'session-assertion+jwt', kid: 'k1' })
        .sign(keys.privateKey);
      expect(await verifyAssertion(assertion, rules())).toBeUndefined();
    }
  });

  it('are rejected with an unknown key, and an error of the key lookup is passed on', async () => {
    expect(await verifyAssertion(await sign(), rules(NOW, { findKey: () => undefined }))).toBeUndefined();
    const findKey = (): Promise<never> => Promise.reject(new RangeError('database gone'));
    await expect(verifyAssertion(await sign(), rules(NOW, { findKey }))).rejects.toThrow('database gone');
  });
});
