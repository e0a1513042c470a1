import { JwtService } from '@nestjs/jwt';
import { generateKeyPairSync, KeyObject, sign } from 'node:crypto';
import type { Environment } from '../platform/config';
import { SigningKeysService } from './keys/signing-keys.service';
import { newId } from '../platform/crypto';
import { DatabaseClock } from '../platform/database';
import { ProblemError } from '../platform/errors';
import { sessionJwtOptions } from './session-jwt';
import { SessionClaims, TokenService, TokenSubject, TokenType } from './token.service';

interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** A ring of keys that can be retired, and that notes who was looked for. */
class Ring {
  readonly looked: string[] = [];
  readonly keys = new Map<string, Pair>();
  signs = '';

  add(pair: Pair): string {
    this.signs = newId();
    this.keys.set(this.signs, pair);
    return this.signs;
  }

  /** Retired between two looks of one request. */
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

describe('the check of a session token', () => {
  let ring: Ring;
  let now: number;
  let issuer: TokenService;
  let stranger: TokenService;

  /** Of an instance that has seen none of the tokens. */
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

  /** Right in everything but what is changed, and signed with the key that is named. */
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

  /** Twice, as a browser with two cookies of one name brings it: what one alone is spared is done for each. */
  const twice = (token: string): string[] => [token, token];

  const outcome = async (by: TokenService, ...tokens: string[]): Promise<string> => {
    try {
      return (await by.verifyOne('access', tokens)).sessionId;
    } catch (error) {
      if (error instanceof ProblemError) return error.code;
      throw error;
    }
  };

  it('takes what was issued, and a forgery that changes nothing', async () => {
    expect(await outcome(issuer, await issue())).toBe(subject.sessionId);
    expect(await outcome(stranger, await issue())).toBe(subject.sessionId);
    expect(await outcome(stranger, forged(ring.signs))).toBe(subject.sessionId);
  });

  it.each([
    ['another kind of token', { typ: 'session-refresh+jwt' }],
    ['any JWT', { typ: 'JWT' }],
    ['no type', { typ: undefined }],
    ['extensions that must be understood', { crit: ['exp'] }],
  ])('refuses a header that names %s', async (_, header) => {
    expect(await outcome(stranger, forged(ring.signs, header))).toBe('unauthenticated');
  });

  it.each([
    ['another issuer', { iss: 'urn:castellan:other' }],
    ['another kind', { type: 'refresh' }],
    ['no id of the token', { jti: undefined }],
    ['no time of issue', { iat: undefined }],
    ['no version', { ver: undefined }],
    ['a counter beyond the range', { ver: `${subject.sessionId}.0` }],
    ['a user that is no text', { uid: 7 }],
  ])('refuses claims with %s', async (_, claims) => {
    expect(await outcome(stranger, forged(ring.signs, {}, claims))).toBe('unauthenticated');
  });

  it('leaves a failure to read the keys as it is', async () => {
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
  ])('takes what has the form of a token, but is %s, for nobody’s', async (_, part) => {
    expect(await outcome(stranger, `${part}.${part}.${'A'.repeat(86)}`)).toBe('unauthenticated');
  });

  describe('takes one algorithm', () => {
    it('whatever keys the ring has: an Ed25519 signature is as long as one of ES256', async () => {
      const kid = ring.add(generateKeyPairSync('ed25519'));
      const token = forged(kid, { alg: 'EdDSA' });
      expect(token.split('.')[2]).toHaveLength(86);
      expect(await outcome(stranger, token)).toBe('unauthenticated');
    });

    it.each([
      ['no signature', 0],
      ['one as long as of HS256', 43],
      ['one as long as of ES384', 128],
      ['one as long as of RS256', 342],
    ])('and looks for no key where there is %s', async (_, length) => {
      const [header, claims] = forged(ring.signs).split('.');
      expect(await outcome(stranger, `${header}.${claims}.${'A'.repeat(length)}`)).toBe('unauthenticated');
      expect(ring.looked).toEqual([]);
    });
  });

  describe('knows the keys of the ring alone', () => {
    it('and counts no token of another key among the four it looks at', async () => {
      const rubbish = Array.from({ length: 5 }, () => forged(newId()));
      expect(await outcome(stranger, ...rubbish, await issue())).toBe(subject.sessionId);
    });

    it('and not the one that a token brings, beside the name of one that is known', async () => {
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
    ])('also where one is retired while a token that %s is looked at', async (_, by) => {
      const token = await issue();
      ring.retireAfterNextLook();
      expect(await outcome(by(), ...twice(token))).toBe('unauthenticated');
    });

    it('also where a token is remembered', async () => {
      const token = await issue();
      expect(issuer.verifyOne('access', [token])).toMatchObject({ sessionId: subject.sessionId });
      ring.keys.clear();
      expect(await outcome(issuer, token)).toBe('unauthenticated');
    });
  });

  describe('reads `exp` by the clock of the database', () => {
    const ways: [string, (token: string) => Promise<SessionClaims> | SessionClaims | undefined][] = [
      ['never seen', (token) => service().verifyOne('access', [token])],
      ['remembered', (token) => issuer.verifyOne('access', twice(token))],
      ['remembered, and alone', (token) => issuer.verifyOne('access', [token])],
    ];

    it.each(ways)('of a token that is %s', async (_, read) => {
      const token = await issue();
      now += HOUR - 1_001;
      expect(await read(token)).toMatchObject({ sessionId: subject.sessionId });
      now += 1_001;
      await expect((async () => read(token))()).rejects.toMatchObject({ code: 'token_expired' });
    });

    it.each([
      ['none', undefined],
      ['a text', '9999999999'],
      ['null', null],
    ])('and takes no token that has %s', async (_, exp) => {
      expect(await outcome(stranger, forged(ring.signs, {}, { exp }))).toBe('unauthenticated');
    });
  });
});
