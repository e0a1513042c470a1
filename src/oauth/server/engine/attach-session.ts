import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { authenticationOf } from './authentication-context.service';
import { logoutState } from './logout-state';
import { loginOf } from './request';

type SessionClass = Provider['Session'];
type LibrarySession = InstanceType<SessionClass>;

/** What the library's class can do beyond its declarations. */
interface Undeclared {
  instantiate(payload: object): LibrarySession;
}

/**
 * Derives the library's login state from the service's own session: it is looked up by that session, and its cookie
 * counts
 * only while no user is logged in. A logout, a revocation or another user's login leaves nothing of the former state.
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
      // A cookie without a login identifies no user.
      const found = session.accountId !== undefined && !loginOf(ctx.req) ? undeclared.instantiate({}) : session;
      found.state = await logoutState(ctx, found.state);
      if (ctx.oidc.route === 'end_session_confirm') forgetApplications(found);
      ctx.oidc.entity('Session', found);
      return found;
    },
  });
}

/**
 * The end of the service's own session ends its grants and notifies the applications; the library would make the
 * browser
 * wait for each application, and stop halfway where one fails.
 */
function forgetApplications(session: LibrarySession): void {
  delete session.authorizations;
}
