import { Injectable } from '@nestjs/common';
import { newId, randomToken, SecretBox, sha256 } from '../platform/crypto';
import { UserView } from '../users';
import { MfaSession } from './mfa.entities';
import { mfaErrors } from './mfa.errors';
import { MfaSessionKey, MfaSessionRepository } from './mfa-session.repository';

const SEPARATOR = '~';
const COOKIE = /^[\w-]{43}~[\w-]{43}$/;
const TOKEN = /^[\w-]{43}$/;
const MAX_COOKIES = 2;

export interface FirstFactorResult {
  readonly user: Pick<UserView, 'id' | 'passwordVersion'>;
  readonly method: string;
  readonly amr: readonly string[];
  readonly remember: boolean;
  /** Returned to the login when it verifies the second factor. */
  readonly deferred?: string;
}

/** The secrets for the next step of the login. */
export interface MfaSessionToken {
  readonly token: string;
  /** For the browser only: the token and a second secret, without which the token is useless. */
  readonly cookie: string;
}

/** The token from the request, or undefined to use the one in the cookie. */
export interface MfaSessionCredentials {
  readonly token: string | undefined;
  readonly cookies: readonly string[];
}

/**
 * Logins between their two factors. A token lasts five minutes and five attempts, is consumed by one success, works
 * only in the browser with the cookie, and authorizes nothing else.
 */
@Injectable()
export class MfaSessionsService {
  constructor(
    private readonly logins: MfaSessionRepository,
    private readonly box: SecretBox,
  ) {}

  /** Call in the transaction that consumes the first factor. */
  async begin({ user, method, amr, remember, deferred }: FirstFactorResult): Promise<MfaSessionToken> {
    const id = newId();
    const token = randomToken();
    const browser = randomToken();
    await this.logins.insert({
      id,
      userId: user.id,
      tokenHash: sha256(token),
      browserHash: sha256(browser),
      passwordVersion: user.passwordVersion,
      loginMethod: method,
      amr: [...amr],
      remember,
      deferred: deferred === undefined ? null : this.box.seal(deferred, contextOfDeferred(id)),
    });
    return { token, cookie: `${token}${SEPARATOR}${browser}` };
  }

  /** Throws `temp_token_invalid`. */
  async find(claim: MfaSessionCredentials): Promise<MfaSession> {
    const key = keyOf(claim);
    const login = key && (await this.logins.find(key));
    if (!login) throw mfaErrors.tempTokenInvalid();
    return login;
  }

  /** The `deferred` value given to `begin`. Throws `temp_token_invalid` when no key opens it. */
  deferredOf({ id, deferred }: MfaSession): string | undefined {
    if (deferred === null) return undefined;
    const opened = this.box.openIfPossible(deferred, contextOfDeferred(id));
    if (opened === undefined) throw mfaErrors.tempTokenInvalid();
    return opened;
  }

  /** Uses one attempt before anything is verified. Throws `temp_token_invalid`. */
  async attempt(claim: MfaSessionCredentials): Promise<MfaSession> {
    const key = keyOf(claim);
    const login = key && (await this.logins.attempt(key));
    if (!login) throw mfaErrors.tempTokenInvalid();
    return login;
  }

  /** Call in the transaction that opens the session. Throws `temp_token_invalid` for all calls but the first. */
  async consume({ id }: MfaSession): Promise<void> {
    if (!(await this.logins.consume(id))) throw mfaErrors.tempTokenInvalid();
  }
}

const contextOfDeferred = (id: string): string => `mfa_pending_login|${id}|deferred`;

/** A token only matches the cookie of the same login. */
function keyOf({ token, cookies }: MfaSessionCredentials): MfaSessionKey | undefined {
  if (token !== undefined && !TOKEN.test(token)) return undefined;
  const pairs = cookies.slice(0, MAX_COOKIES).filter((cookie) => COOKIE.test(cookie));
  const pair = pairs.map((cookie) => cookie.split(SEPARATOR)).find(([held]) => token === undefined || held === token);
  const [held, browser] = pair ?? [];
  if (held === undefined || browser === undefined) return undefined;
  return { tokenHash: sha256(held), browserHash: sha256(browser) };
}
