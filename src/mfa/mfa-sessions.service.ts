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
  /** Returned to the login that brings the second factor. */
  readonly deferred?: string;
}

/** What the client continues with. */
export interface MfaSessionToken {
  readonly token: string;
  /** For the browser alone: the token, and a secret without which it is worth nothing. */
  readonly cookie: string;
}

/** What the client brings: the token, or nothing where the cookie has it. */
export interface MfaSessionCredentials {
  readonly token: string | undefined;
  readonly cookies: readonly string[];
}

/**
 * Logins between their two factors. A token lasts five minutes and five tries, is consumed by one success, works only in
 * the browser that has the cookie, and opens nothing else.
 */
@Injectable()
export class MfaSessionsService {
  constructor(
    private readonly logins: MfaSessionRepository,
    private readonly box: SecretBox,
  ) {}

  /** In the transaction that spends the first factor. */
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

  /** Errors: `temp_token_invalid`. */
  async find(claim: MfaSessionCredentials): Promise<MfaSession> {
    const key = keyOf(claim);
    const login = key && (await this.logins.find(key));
    if (!login) throw mfaErrors.tempTokenInvalid();
    return login;
  }

  /** What `begin` was given to be handed back. Errors: `temp_token_invalid` where its key is not here. */
  deferredOf({ id, deferred }: MfaSession): string | undefined {
    if (deferred === null) return undefined;
    const opened = this.box.openIfPossible(deferred, contextOfDeferred(id));
    if (opened === undefined) throw mfaErrors.tempTokenInvalid();
    return opened;
  }

  /** Uses one try, before anything is verified. Errors: `temp_token_invalid`. */
  async attempt(claim: MfaSessionCredentials): Promise<MfaSession> {
    const key = keyOf(claim);
    const login = key && (await this.logins.attempt(key));
    if (!login) throw mfaErrors.tempTokenInvalid();
    return login;
  }

  /** In the transaction that opens the session. Errors: `temp_token_invalid` for all but the first. */
  async consume({ id }: MfaSession): Promise<void> {
    if (!(await this.logins.consume(id))) throw mfaErrors.tempTokenInvalid();
  }
}

const contextOfDeferred = (id: string): string => `mfa_pending_login|${id}|deferred`;

/** A token beside a cookie of another login is worth nothing. */
function keyOf({ token, cookies }: MfaSessionCredentials): MfaSessionKey | undefined {
  if (token !== undefined && !TOKEN.test(token)) return undefined;
  const pairs = cookies.slice(0, MAX_COOKIES).filter((cookie) => COOKIE.test(cookie));
  const pair = pairs.map((cookie) => cookie.split(SEPARATOR)).find(([held]) => token === undefined || held === token);
  const [held, browser] = pair ?? [];
  if (held === undefined || browser === undefined) return undefined;
  return { tokenHash: sha256(held), browserHash: sha256(browser) };
}
