import type Provider from 'oidc-provider';
import type { InteractionResults, KoaContextWithOIDC } from 'oidc-provider';
import { errors, Provider as Library } from '../core/library';
import { loginOf } from '../core/request';

type Interaction = InstanceType<Provider['Interaction']>;
type Find = (uid: string) => Promise<Interaction | undefined>;

/** The key in the result for the session in which the decision was made. */
const DECIDED_IN = 'castellan_session';

export const decidedIn = (sessionId: string, result: InteractionResults): InteractionResults => ({
  ...result,
  [DECIDED_IN]: sessionId,
});

/** Whether the result is valid in the session. An error grants nothing, so it is valid in any session. */
export function countsIn(sessionId: string | undefined, result: InteractionResults): boolean {
  return 'error' in result || (sessionId !== undefined && result[DECIDED_IN] === sessionId);
}

/**
 * Binds decisions: a browser that returns from a page can continue only the interaction that its cookie and the path
 * name, and only with a decision from the same session. The library uses the object that is checked here, so a later
 * decision has no effect.
 */
export function bindDecisions({ Interaction }: Provider): void {
  const find = (Interaction as { find: Find }).find.bind(Interaction);
  Object.assign(Interaction, {
    find: async (uid: string): Promise<Interaction | undefined> => {
      const { ctx } = Library;
      if (ctx?.oidc.route !== 'resume') return find(uid);
      requireOwnPath(ctx, uid);
      const found = await find(uid);
      if (found?.result && !countsIn(loginOf(ctx.req)?.sessionId, found.result)) delete found.result;
      return found;
    },
  });
}

function requireOwnPath(ctx: KoaContextWithOIDC, uid: string): void {
  const { params } = ctx as { params?: { readonly uid?: string } };
  if (params?.uid !== uid) throw new errors.SessionNotFound('the address and the cookie name different interactions');
}
