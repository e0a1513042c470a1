import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { ProviderKeys } from './provider-keys';

const RULES = { algorithms: ['ES256', 'Ed25519', 'EdDSA'] };

async function newKey(alg = 'ES256') {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return {
    jwk: await exportJWK(publicKey),
    sign: (kid?: string) =>
      new SignJWT({ sub: 'ann' }).setProtectedHeader({ alg, ...(kid && { kid }) }).sign(privateKey),
  };
}

/** Keys as a provider publishes them, and how often they were fetched. */
function published(...first: object[]) {
  const provider = { keys: first, fetches: 0 };
  const keys = new ProviderKeys('https://idp.example/jwks', async () => {
    provider.fetches += 1;
    return JSON.stringify({ keys: provider.keys });
  });
  return { provider, keys };
}

describe('ProviderKeys', () => {
  it('tries the only key for a token that names another', async () => {
    const key = await newKey();
    const { keys } = published(key.jwk);
    await expect(keys.verify(await key.sign('unknown'), RULES)).resolves.toMatchObject({ sub: 'ann' });
  });

  it('tries a key without an id for a token that names one', async () => {
    const [named, other] = [await newKey(), await newKey()];
    const { keys } = published({ ...named.jwk, kid: 'a' }, other.jwk);
    await expect(keys.verify(await other.sign('b'), RULES)).resolves.toMatchObject({ sub: 'ann' });
  });

  it('tries all keys of one id', async () => {
    const [first, second] = [await newKey(), await newKey()];
    const { keys } = published({ ...first.jwk, kid: 'a' }, { ...second.jwk, kid: 'a' });
    await expect(keys.verify(await second.sign('a'), RULES)).resolves.toMatchObject({ sub: 'ann' });
  });

  it('tries all keys for a token that names none', async () => {
    const [first, second] = [await newKey(), await newKey()];
    const { keys } = published({ ...first.jwk, kid: 'a' }, { ...second.jwk, kid: 'b' });
    await expect(keys.verify(await second.sign(), RULES)).resolves.toMatchObject({ sub: 'ann' });
  });

  it.each(['Ed25519', 'EdDSA'])('accepts %s (RFC 9864)', async (alg) => {
    const key = await newKey(alg);
    const { keys } = published({ ...key.jwk, kid: 'a' });
    await expect(keys.verify(await key.sign('a'), RULES)).resolves.toMatchObject({ sub: 'ann' });
  });

  it('fetches once more for an id that it sees for the first time, and not again', async () => {
    const [old, next] = [await newKey(), await newKey()];
    const { keys, provider } = published({ ...old.jwk, kid: 'old' });
    await keys.verify(await old.sign('old'), RULES);
    provider.keys = [{ ...next.jwk, kid: 'new' }];
    await expect(keys.verify(await next.sign('new'), RULES)).resolves.toMatchObject({ sub: 'ann' });
    const forged = await newKey();
    for (let turn = 0; turn < 3; turn += 1) {
      await expect(keys.verify(await forged.sign('forged'), RULES)).rejects.toThrow('signature verification failed');
    }
    expect(provider.fetches).toBe(3);
  });

  it.each(['', 'no token', 'a.b.c'])('rejects %j', async (token) => {
    const { keys } = published((await newKey()).jwk);
    await expect(keys.verify(token, RULES)).rejects.toMatchObject({ code: 'ERR_JWS_INVALID' });
  });
});
