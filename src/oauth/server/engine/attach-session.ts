import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { authenticationOf } from './authentication-context.service';
import { logoutState } from './logout-state';
import { loginOf } from '../core/request';

type SessionClass = Provider['Session'];
type LibrarySession = InstanceType<SessionClass>;

/** Methods of the library's class that its types do not declare. */
interface Undeclared {
  instantiate(payload: object): LibrarySession;
}

/**
 * Derives the library's session from this service's session: it is looked up by the session id, and the library's own
 * cookie counts only while no user is logged in. After a logout, a revocation or a login of another user, nothing of
 * the previous session remains.
 */
export function attachSession(provider: Provider): void {
  const { Session } = provider;
  const undeclared = Session as SessionClass & Undeclared;
  const byCookie = Session.get.bind(Session);

  const ofLogin = async (ctx: KoaContextWithOIDC): Promise<LibrarySession | undefined> => {
    const login = loginOf(ctx.req);
    if (!login) return undefined;
    const known = await Session.findByUid(login.sessionId);
    const state = known && { authorizations: known.authorizations, state: known.state, iat: known.iat, exp: known.exp };
    return undeclared.instantiate({
      ...state,
      uid: login.sessionId,
      accountId: login.userId,
      loginTs: Math.floor(login.authenticatedAt / 1_000),
      ...authenticationOf(login),
    });
  };

  Object.assign(Session, {
    get: async (ctx: KoaContextWithOIDC): Promise<LibrarySession> => {
      const session = (await ofLogin(ctx)) ?? (await byCookie(ctx));
      // The library's cookie alone does not identify a user.
      const found = session.accountId !== undefined && !loginOf(ctx.req) ? undeclared.instantiate({}) : session;
      found.state = await logoutState(ctx, found.state);
      if (ctx.oidc.route === 'end_session_confirm') removeApplications(found);
      ctx.oidc.entity('Session', found);
      return found;
    },
  });
}

/**
 * Ending this service's session ends the grants and notifies the applications. The library would make the browser wait
 * for each application, and stop at the first failure.
 */
function removeApplications(session: LibrarySession): void {
  delete session.authorizations;
}
