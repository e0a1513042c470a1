import type { KoaContextWithOIDC } from 'oidc-provider';

/** What the library keeps of a logout that it asks the user about. */
interface LogoutState {
  readonly clientId?: string | undefined;
  readonly postLogoutRedirectUri?: string | undefined;
}

/**
 * The question's state as the library is to read it once it is answered. Whoever stays logged in goes back to nobody, and no
 * application loses anything or is told; the library would end the asking one's tokens. And an address that the application
 * gave up meanwhile is gone to no more (OpenID Connect RP-Initiated Logout 1.0 §3).
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
