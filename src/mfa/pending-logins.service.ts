import { Injectable } from '@nestjs/common';
import { newId, randomToken, SecretBox, sha256 } from '../platform/crypto';
import { KnownUser } from '../users';
import { PendingLogin } from './mfa.entities';
import { mfaErrors } from './mfa.errors';
import { PendingKey, PendingLoginRepository } from './pending-login.repository';

const SEPARATOR = '~';
const COOKIE = /^[\w-]{43}~[\w-]{43}$/;
const TOKEN = /^[\w-]{43}$/;
const MOST_COOKIES = 2;

export interface ProvedOnce {
  readonly user: Pick<KnownUser, 'id' | 'passwordVersion'>;
  readonly method: string;
  readonly amr: readonly string[];
  readonly remember: boolean;
  /** To be handed back to whoever comes with the second factor. */
  readonly deferred?: string;
}

/** What the client is given to go on with. */
export interface PendingToken {
  readonly token: string;
  /** For the browser alone: the token, and a secret without which it is worth nothing. */
  readonly cookie: string;
}

/** What the client brings: the token, or nothing where the cookie has it. */
export interface PendingClaim {
  readonly token: string | undefined;
  readonly cookies: readonly string[];
}

/**
 * Logins between their two factors. A token lasts five minutes and five tries, is spent by one success, works only in the
 * browser that was given the cookie, and opens nothing but this.
 */
@Injectable()
export class PendingLogins {
  constructor(
    private readonly logins: PendingLoginRepository,
    private readonly box: SecretBox,
  ) {}

  /** In the transaction that spends the first factor. */
  async begin({ user, method, amr, remember, deferred }: ProvedOnce): Promise<PendingToken> {
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
  async find(claim: PendingClaim): Promise<PendingLogin> {
    const key = keyOf(claim);
    const login = key && (await this.logins.find(key));
    if (!login) throw mfaErrors.tempTokenInvalid();
    return login;
  }

  /** What `begin` was given to be handed back. Errors: `temp_token_invalid` where its key is not here. */
  deferredOf({ id, deferred }: PendingLogin): string | undefined {
    if (deferred === null) return undefined;
    const opened = this.box.openIfPossible(deferred, contextOfDeferred(id));
    if (opened === undefined) throw mfaErrors.tempTokenInvalid();
    return opened;
  }

  /** Takes one of the tries, before anything is judged. Errors: `temp_token_invalid`. */
  async attempt(claim: PendingClaim): Promise<PendingLogin> {
    const key = keyOf(claim);
    const login = key && (await this.logins.attempt(key));
    if (!login) throw mfaErrors.tempTokenInvalid();
    return login;
  }

  /** In the transaction that opens the session. Errors: `temp_token_invalid` for all but the first. */
  async spend({ id }: PendingLogin): Promise<void> {
    if (!(await this.logins.spend(id))) throw mfaErrors.tempTokenInvalid();
  }
}

const contextOfDeferred = (id: string): string => `mfa_pending_login|${id}|deferred`;

/** A token beside a cookie of another login is worth nothing. */
function keyOf({ token, cookies }: PendingClaim): PendingKey | undefined {
  if (token !== undefined && !TOKEN.test(token)) return undefined;
  const pairs = cookies.slice(0, MOST_COOKIES).filter((cookie) => COOKIE.test(cookie));
  const pair = pairs.map((cookie) => cookie.split(SEPARATOR)).find(([held]) => token === undefined || held === token);
  const [held, browser] = pair ?? [];
  if (held === undefined || browser === undefined) return undefined;
  return { tokenHash: sha256(held), browserHash: sha256(browser) };
}
