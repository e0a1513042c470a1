import type { KoaContextWithOIDC } from 'oidc-provider';

/** What the library keeps of a logout that it asks the user about. */
interface LogoutState {
  readonly clientId?: string | undefined;
  readonly postLogoutRedirectUri?: string | undefined;
}

/**
 * The state of the prompt as the library has to read it after the decision. A user who stays logged in is not
 * redirected,
 * and no application loses tokens or is notified; the library would end the tokens of the requesting one. An address
 * that
 * the application has removed meanwhile is not used (OpenID Connect RP-Initiated Logout 1.0 §3).
 */
export async function logoutState<State extends object | undefined>(
  ctx: KoaContextWithOIDC,
  state: State,
): Promise<State> {
  const { clientId, postLogoutRedirectUri } = (state ?? {}) as LogoutState;
  if (clientId === undefined || ctx.oidc.route !== 'end_session_confirm') return state;
  const client = await ctx.oidc.provider.Client.find(clientId);
  const back = client?.postLogoutRedirectUriAllowed(postLogoutRedirectUri ?? '') ? postLogoutRedirectUri : undefined;
  // Read before the answer is: the body comes later.
  return Object.defineProperties(
    { ...state },
    {
      clientId: { enumerable: true, get: () => (isLogout(ctx) ? clientId : undefined) },
      postLogoutRedirectUri: { enumerable: true, get: () => (isLogout(ctx) ? back : undefined) },
    },
  );
}

/** Whether the user said yes. */
export const isLogout = ({ oidc }: KoaContextWithOIDC): boolean =>
  Boolean((oidc as { params?: { logout?: unknown } }).params?.logout);
