import { JsonWebTokenError, JwtModule, JwtModuleOptions, JwtSecretRequestType } from '@nestjs/jwt';
import { Environment } from '../platform/config';
import { SigningKeysModule } from './keys/signing-keys.module';
import { SigningKeysService } from './keys/signing-keys.service';

type Secret = Awaited<ReturnType<NonNullable<JwtModuleOptions['secretOrKeyProvider']>>>;

const ALGORITHM = 'ES256';

/** The keys could not be read: says nothing about the token. `cause` is why. */
export class SessionKeysUnavailableError extends Error {
  constructor(cause: unknown) {
    super('The session keys cannot be read', { cause });
    this.name = 'SessionKeysUnavailableError';
  }
}

/** A member of the token's header (part 0) or claims (part 1), unverified; undefined where there is none. */
function unverified(token: string, part: 0 | 1, name: string): unknown {
  try {
    const read: unknown = JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString('utf8'));
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>)[name] : undefined;
  } catch {
    return undefined;
  }
}

/** The `kid` that a token's header names, unverified; undefined where there is none. */
export function unverifiedKid(token: string): string | undefined {
  const kid = unverified(token, 0, 'kid');
  return typeof kid === 'string' ? kid : undefined;
}

/** When a token says it was issued, in milliseconds since the epoch, unverified; undefined where it does not say. */
export function unverifiedIssueTime(token: string): number | undefined {
  const iat = unverified(token, 1, 'iat');
  return typeof iat === 'number' ? iat * 1_000 : undefined;
}

/**
 * Options of the `JwtService` for session tokens: ES256 only, one issuer. Signing takes the private key that the call names.
 * Verifying takes a key of the ring by `kid`; keys carried or linked by the header itself are never looked at (RFC 8725 §3.10).
 */
export function sessionJwtOptions(keys: SigningKeysService, { serviceScope }: Environment): JwtModuleOptions {
  const issuer = `urn:castellan:${serviceScope}`;
  return {
    signOptions: { algorithm: ALGORITHM, issuer },
    verifyOptions: { algorithms: [ALGORITHM], issuer },
    secretOrKeyProvider: (request, token, options) => {
      if (request === JwtSecretRequestType.VERIFY && typeof token === 'string') return publicKeyOf(token, keys);
      if (options && 'privateKey' in options) return options.privateKey as Secret;
      throw new Error('Session tokens are signed with a key of the ring');
    },
  };
}

async function publicKeyOf(token: string, keys: SigningKeysService): Promise<Secret> {
  const kid = unverifiedKid(token);
  const key = kid === undefined ? undefined : await findPublic(kid, keys);
  if (!key) throw new JsonWebTokenError('no key of the ring');
  return key;
}

async function findPublic(kid: string, keys: SigningKeysService): Promise<Secret | undefined> {
  try {
    return await keys.findPublic('session', kid);
  } catch (error) {
    throw new SessionKeysUnavailableError(error);
  }
}

/** Provides `JwtService` of session tokens, for the token service alone: a host's global one signs with the host's secret. */
export const sessionJwtModule = JwtModule.registerAsync({
  global: false,
  imports: [SigningKeysModule],
  inject: [SigningKeysService, Environment],
  useFactory: sessionJwtOptions,
});
