import { JwtService } from '@nestjs/jwt';
import { createHmac, createSecretKey, generateKeyPairSync, KeyObject, randomBytes, sign } from 'node:crypto';
import type { Environment } from '../../platform/config';
import { SigningKeysService } from '../keys/signing-keys.service';
import { newId } from '../../platform/crypto';
import { DatabaseClock } from '../../platform/database';
import { ProblemError } from '../../platform/errors';
import { sessionJwtOptions } from './session-jwt';
import { SessionClaims, TokenService, TokenSubject, TokenType } from './token.service';

interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** A key ring with retirable keys that records lookups. */
class Ring {
  readonly looked: string[] = [];
  readonly keys = new Map<string, Pair>();
  signs = '';

  add(pair: Pair): string {
    this.signs = newId();
    this.keys.set(this.signs, pair);
    return this.signs;
  }

  /** Retires the key between two lookups of one request. */
  retireAfterNextLook(): void {
    const { keys } = this;
    const find = this.findPublic.bind(this);
    this.findPublic = (usage, kid) => {
      const found = find(usage, kid);
      keys.delete(kid);
      return found;
    };
  }

  failAfterNextLook(error: Error): void {
    const find = this.findPublic.bind(this);
    this.findPublic = (usage, kid) => {
      this.findPublic = () => {
        throw error;
      };
      return find(usage, kid);
    };
  }

  current = (): object => ({ kid: this.signs, privateKey: this.keys.get(this.signs)?.privateKey });
  findPublic = (_usage: string, kid: string): KeyObject | undefined => {
    this.looked.push(kid);
    return this.keys.get(kid)?.publicKey;
  };
}

const HOUR = 3_600_000;
const subject: TokenSubject = { userId: newId(), sessionId: newId(), counter: 1 };
const ec = (): Pair => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const encoded = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');

describe('TokenService', () => {
  let ring: Ring;
  let now: number;
  let issuer: TokenService;
  let stranger: TokenService;

  /** Creates an instance that has seen none of the tokens. */
  const service = (): TokenService => {
    const keys = ring as unknown as SigningKeysService;
    const jwt = new JwtService(sessionJwtOptions(keys, { serviceScope: 'iam' } as Environment));
    return new TokenService(jwt, keys, new DatabaseClock(() => now));
  };

  beforeEach(() => {
    ring = new Ring();
    ring.add(ec());
    now = Date.now() + 48 * HOUR;
    issuer = service();
    stranger = service();
  });

  const issue = (type: TokenType = 'access'): Promise<string> =>
    issuer.issue(type, subject, new Date(now), new Date(now + HOUR));

  /** Builds a token that is valid except for the changes, signed with the named key. */
  function forged(kid: string, header: object = {}, claims: object = {}): string {
    const key = ring.keys.get(kid)?.privateKey ?? ec().privateKey;
    const head = encoded({ alg: 'ES256', typ: 'session-access+jwt', kid, ...header });
    const seconds = Math.floor(now / 1_000);
    const body = encoded({
      uid: subject.userId,
      type: 'access',
      ver: `${subject.sessionId}.1`,
      iss: 'urn:castellan:iam',
      iat: seconds,
      exp: seconds + 3_600,
      jti: newId(),
      ...claims,
    });
    const hash = key.asymmetricKeyType === 'ec' ? 'sha256' : null;
    const signature = sign(hash, Buffer.from(`${head}.${body}`), { key, dsaEncoding: 'ieee-p1363' });
    return `${head}.${body}.${signature.toString('base64url')}`;
  }

  /** Two cookies of one name skip the shortcut for a single token. */
  const twice = (token: string): string[] => [token, token];

  const outcome = async (by: TokenService, ...tokens: string[]): Promise<string> => {
    try {
      return (await by.verifyOne('access', tokens)).sessionId;
    } catch (error) {
      if (error instanceof ProblemError) return error.code;
      throw error;
    }
  };

  it('accepts an issued token and an unchanged copy of one', async () => {
    expect(await outcome(issuer, await issue())).toBe(subject.sessionId);
    expect(await outcome(stranger, await issue())).toBe(subject.sessionId);
    expect(await outcome(stranger, forged(ring.signs))).toBe(subject.sessionId);
  });

  it.each([
    ['the type of another token', { typ: 'session-refresh+jwt' }],
    ['the type JWT', { typ: 'JWT' }],
    ['no type', { typ: undefined }],
    ['critical extensions', { crit: ['exp'] }],
  ])('rejects a header with %s', async (_, header) => {
    expect(await outcome(stranger, forged(ring.signs, header))).toBe('unauthenticated');
  });

  it.each([
    ['another issuer', { iss: 'urn:castellan:other' }],
    ['another kind', { type: 'refresh' }],
    ['no token id', { jti: undefined }],
    ['no issue time', { iat: undefined }],
    ['no version', { ver: undefined }],
    ['a counter beyond the range', { ver: `${subject.sessionId}.0` }],
    ['a non-string user', { uid: 7 }],
  ])('rejects claims with %s', async (_, claims) => {
    expect(await outcome(stranger, forged(ring.signs, {}, claims))).toBe('unauthenticated');
  });

  it('passes on a failure to read the keys', async () => {
    const token = await issue();
    const away = new Error('the database is away');
    ring.failAfterNextLook(away);
    await expect(stranger.verifyOne('access', [token])).rejects.toBe(away);
  });

  it.each([
    ['no JSON', 'YWJj'],
    ['JSON null', encoded(null)],
    ['a list', encoded([1])],
    ['a number', encoded(1)],
  ])('rejects a token whose parts are %s', async (_, part) => {
    expect(await outcome(stranger, `${part}.${part}.${'A'.repeat(86)}`)).toBe('unauthenticated');
  });

  describe('algorithms', () => {
    it('rejects EdDSA, although an Ed25519 signature has the length of ES256', async () => {
      const kid = ring.add(generateKeyPairSync('ed25519'));
      const token = forged(kid, { alg: 'EdDSA' });
      expect(token.split('.')[2]).toHaveLength(86);
      expect(await outcome(stranger, token)).toBe('unauthenticated');
    });

    it('rejects HS512, whose signature also has the length of ES256, even for a key that would verify it', async () => {
      const secret = createSecretKey(randomBytes(64));
      const kid = ring.add({ publicKey: secret, privateKey: secret });
      const input = forged(newId(), { kid, alg: 'HS512' }).split('.').slice(0, 2).join('.');
      const token = `${input}.${createHmac('sha512', secret).update(input).digest('base64url')}`;
      expect(token.split('.')[2]).toHaveLength(86);
      expect(await outcome(stranger, token)).toBe('unauthenticated');
    });

    it.each([
      ['an empty signature', 0],
      ['a signature of HS256 length', 43],
      ['a signature of ES384 length', 128],
      ['a signature of RS256 length', 342],
    ])('looks up no key for %s', async (_, length) => {
      const [header, claims] = forged(ring.signs).split('.');
      expect(await outcome(stranger, `${header}.${claims}.${'A'.repeat(length)}`)).toBe('unauthenticated');
      expect(ring.looked).toEqual([]);
    });
  });

  describe('keys', () => {
    it('does not count tokens of unknown keys toward the limit of four', async () => {
      const rubbish = Array.from({ length: 5 }, () => forged(newId()));
      expect(await outcome(stranger, ...rubbish, await issue())).toBe(subject.sessionId);
    });

    it('ignores a key in the header next to a known kid', async () => {
      const own = ec();
      const kid = ring.signs;
      const known = ring.keys.get(kid)!;
      ring.keys.set(kid, { ...known, privateKey: own.privateKey });
      const jwk = own.publicKey.export({ format: 'jwk' });
      expect(await outcome(stranger, forged(kid, { jwk }))).toBe('unauthenticated');
    });

    it.each<[string, () => TokenService]>([
      ['was checked before', () => issuer],
      ['was never seen', () => stranger],
    ])('rejects a token that %s when its key is retired during the check', async (_, by) => {
      const token = await issue();
      ring.retireAfterNextLook();
      expect(await outcome(by(), ...twice(token))).toBe('unauthenticated');
    });

    it('rejects a cached token after its key is retired', async () => {
      const token = await issue();
      expect(issuer.verifyOne('access', [token])).toMatchObject({ sessionId: subject.sessionId });
      ring.keys.clear();
      expect(await outcome(issuer, token)).toBe('unauthenticated');
    });
  });

  describe("expiry by the database's clock", () => {
    const ways: [string, (token: string) => Promise<SessionClaims> | SessionClaims | undefined][] = [
      ['not cached', (token) => service().verifyOne('access', [token])],
      ['cached', (token) => issuer.verifyOne('access', twice(token))],
      ['cached and the only one', (token) => issuer.verifyOne('access', [token])],
    ];

    it.each(ways)('rejects an expired token that is %s', async (_, read) => {
      const token = await issue();
      now += HOUR - 1_001;
      expect(await read(token)).toMatchObject({ sessionId: subject.sessionId });
      now += 1_001;
      await expect((async () => read(token))()).rejects.toMatchObject({ code: 'token_expired' });
    });

    it.each([
      ['missing', undefined],
      ['a string', '9999999999'],
      ['null', null],
    ])('rejects a token whose exp is %s', async (_, exp) => {
      expect(await outcome(stranger, forged(ring.signs, {}, { exp }))).toBe('unauthenticated');
    });
  });
});
