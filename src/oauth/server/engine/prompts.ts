import type Provider from 'oidc-provider';
import { errors, interactionPolicy } from '../core/library';

export const SELECT_ACCOUNT = 'select_account';
/** OpenID Connect "Initiating User Registration" 1.0. */
export const CREATE = 'create';

/** Prompts that a login answers, besides the library's own. */
const answeredByLogin: readonly string[] = [SELECT_ACCOUNT, CREATE];

/** The reasons of prompts that want a login after the request. */
export const newLoginReasons: readonly string[] = ['login', ...answeredByLogin].map((prompt) => `${prompt}_prompt`);

/** The results that mark a prompt as answered by a login. */
export const answerOf = (prompt: string): Readonly<Record<string, object>> =>
  answeredByLogin.includes(prompt) ? { [prompt]: {} } : {};

export interface PromptOptions {
  /** Whether users can register. */
  readonly registration: boolean;
}

/** The values of `prompt` that have an effect here (OpenID Connect Core §3.1.2.1). */
export const supportedPrompts = ({ registration }: PromptOptions): readonly string[] => [
  'none',
  'login',
  'consent',
  SELECT_ACCOUNT,
  ...(registration ? [CREATE] : []),
];

/**
 * Asks for a login, at which the user chooses the account: a browser is logged in to one account at a time.
 */
export const accountSelection = (): interactionPolicy.Prompt =>
  new interactionPolicy.Prompt({ name: SELECT_ACCOUNT, requestable: true });

type CheckRequest = interactionPolicy.Check['check'];

/**
 * Asks for a registration, and the login after it. With another value the user would be asked for opposites, so it is
 * `invalid_request` (OpenID Connect "Initiating User Registration" 1.0 §4.1).
 *
 * @param isPossible whether the request can be answered by a registration. Otherwise the value is ignored.
 */
export function accountCreation(isPossible: CheckRequest): interactionPolicy.Prompt {
  const prompt = new interactionPolicy.Prompt({ name: CREATE, requestable: true });
  const reason = `${CREATE}_prompt`;
  prompt.checks.remove(reason);
  prompt.checks.add(
    new interactionPolicy.Check(reason, 'the user is to register', 'interaction_required', async (ctx) => {
      const { oidc } = ctx;
      if (!oidc.prompts.has(CREATE)) return false;
      if (oidc.prompts.size > 1) throw new errors.InvalidRequest(`prompt ${CREATE} must only be used alone`);
      return oidc.promptPending(CREATE) && isPossible(ctx);
    }),
  );
  return prompt;
}

const PAGES: Readonly<Record<string, string>> = { consent: '/consent', [CREATE]: '/register' };

/** The path of the page that asks the user. */
export const pageOf = (prompt: string): string => PAGES[prompt] ?? '/login';

interface Parameters {
  readonly params?: { readonly prompt?: string };
}

/** Ignores values that the library rejects, such as those of later specifications. */
export function ignoreUnknownPrompts({ OIDCContext }: Provider, options: PromptOptions): void {
  const supported = supportedPrompts(options);
  Object.defineProperty(OIDCContext.prototype, 'prompts', {
    get(this: Parameters): Set<string> {
      return new Set((this.params?.prompt ?? '').split(' ').filter((prompt) => supported.includes(prompt)));
    },
  });
}
