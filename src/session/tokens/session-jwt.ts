import { JsonWebTokenError, JwtModule, JwtModuleOptions, JwtSecretRequestType } from '@nestjs/jwt';
import { Environment } from '../../platform/config';
import { SigningKeysModule } from '../keys/signing-keys.module';
import { SigningKeysService } from '../keys/signing-keys.service';

type Secret = Awaited<ReturnType<NonNullable<JwtModuleOptions['secretOrKeyProvider']>>>;

const ALGORITHM = 'ES256';

/** The keys could not be read, so the token is neither valid nor invalid. `cause` has the reason. */
export class SessionKeysUnavailableError extends Error {
  constructor(cause: unknown) {
    super('The session keys cannot be read', { cause });
    this.name = 'SessionKeysUnavailableError';
  }
}

/** A member of the token's header (part 0) or claims (part 1), unverified, or undefined. */
function unverified(token: string, part: 0 | 1, name: string): unknown {
  try {
    const read: unknown = JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString('utf8'));
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>)[name] : undefined;
  } catch {
    return undefined;
  }
}

/** The `kid` in the token's header, unverified, or undefined. */
export function unverifiedKid(token: string): string | undefined {
  const kid = unverified(token, 0, 'kid');
  return typeof kid === 'string' ? kid : undefined;
}

/** The token's issue time in milliseconds since the epoch, unverified, or undefined. */
export function unverifiedIssueTime(token: string): number | undefined {
  const iat = unverified(token, 1, 'iat');
  return typeof iat === 'number' ? iat * 1_000 : undefined;
}

/** The issuer of session tokens and assertions, whatever the host. */
export const sessionIssuer = (serviceScope: string): string => `urn:castellan:${serviceScope}`;

/**
 * Options of the `JwtService` for session tokens: ES256 only, one issuer. Signing uses the private key given in the
 * call. Verification finds the key by `kid` and ignores keys in the header or linked from it (RFC 8725 §3.10).
 */
export function sessionJwtOptions(keys: SigningKeysService, { serviceScope }: Environment): JwtModuleOptions {
  const issuer = sessionIssuer(serviceScope);
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

/**
 * Provides the `JwtService` for session tokens to `TokenService` only. A host's global `JwtService` signs with the
 * host's secret.
 */
export const sessionJwtModule = JwtModule.registerAsync({
  global: false,
  imports: [SigningKeysModule],
  inject: [SigningKeysService, Environment],
  useFactory: sessionJwtOptions,
});
