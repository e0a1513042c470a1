import type { KoaContextWithOIDC } from 'oidc-provider';

/** The library's state of a logout prompt. */
interface LogoutState {
  readonly clientId?: string | undefined;
  readonly postLogoutRedirectUri?: string | undefined;
}

/**
 * The state of the prompt for the library after the user's decision. If the user stays logged in, the browser is not
 * redirected, and no application loses tokens or is notified, although the library would end those of the requesting
 * application. A redirect URI that was removed from the client in the meantime is not used (OpenID Connect RP-Initiated
 * Logout 1.0 §3).
 */
export async function logoutState<State extends object | undefined>(
  ctx: KoaContextWithOIDC,
  state: State,
): Promise<State> {
  const { clientId, postLogoutRedirectUri } = (state ?? {}) as LogoutState;
  if (clientId === undefined || ctx.oidc.route !== 'end_session_confirm') return state;
  const client = await ctx.oidc.provider.Client.find(clientId);
  const back = client?.postLogoutRedirectUriAllowed(postLogoutRedirectUri ?? '') ? postLogoutRedirectUri : undefined;
  // Getters, because the library parses the body with the decision later.
  return Object.defineProperties(
    { ...state },
    {
      clientId: { enumerable: true, get: () => (isLogout(ctx) ? clientId : undefined) },
      postLogoutRedirectUri: { enumerable: true, get: () => (isLogout(ctx) ? back : undefined) },
    },
  );
}

/** Whether the user confirmed the logout. */
export const isLogout = ({ oidc }: KoaContextWithOIDC): boolean =>
  Boolean((oidc as { params?: { logout?: unknown } }).params?.logout);
