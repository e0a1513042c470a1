import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { authenticationOf } from './authentication-context';
import { logoutState } from './logout-state';
import { loginOf } from './request';

type SessionClass = Provider['Session'];
type LibrarySession = InstanceType<SessionClass>;

/** What the library's class can do beyond its declarations. */
interface Undeclared {
  instantiate(payload: object): LibrarySession;
}

/**
 * Makes the library's login state a shadow of the service's own session: it is looked up by that session, and what its
 * cookie says counts only while nobody is logged in. A logout, a revocation or somebody else's login leaves nothing of
 * the former state behind.
 */
export function bindLoginState(provider: Provider): void {
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
      // Nobody's cookie speaks for somebody.
      const found = session.accountId !== undefined && !loginOf(ctx.req) ? undeclared.instantiate({}) : session;
      found.state = await logoutState(ctx, found.state);
      if (ctx.oidc.route === 'end_session_confirm') forgetApplications(found);
      ctx.oidc.entity('Session', found);
      return found;
    },
  });
}

/**
 * The end of the service's own session ends what it gave and tells the applications; the library would keep the browser
 * waiting for each of them, and end half of it where the other half then fails.
 */
function forgetApplications(session: LibrarySession): void {
  delete session.authorizations;
}
