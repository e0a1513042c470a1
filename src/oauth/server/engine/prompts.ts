import type Provider from 'oidc-provider';
import { interactionPolicy } from './library';

export const SELECT_ACCOUNT = 'select_account';

/** The values of `prompt` that have an effect here (OpenID Connect Core §3.1.2.1). */
export const supportedPrompts: readonly string[] = ['none', 'login', 'consent', SELECT_ACCOUNT];

/**
 * Asks for a login, at which the user chooses the account: a browser is logged in to one account at a time.
 */
export const accountSelection = (): interactionPolicy.Prompt =>
  new interactionPolicy.Prompt({ name: SELECT_ACCOUNT, requestable: true });

/** The page of this service that asks the user. */
export const pageOf = (prompt: string): 'login' | 'consent' => (prompt === 'consent' ? 'consent' : 'login');

interface Parameters {
  readonly params?: { readonly prompt?: string };
}

/** Ignores values that the library rejects, such as those of later specifications. */
export function ignoreUnknownPrompts({ OIDCContext }: Provider): void {
  Object.defineProperty(OIDCContext.prototype, 'prompts', {
    get(this: Parameters): Set<string> {
      return new Set((this.params?.prompt ?? '').split(' ').filter((prompt) => supportedPrompts.includes(prompt)));
    },
  });
}
