import { withDeadline } from '../../../platform/util';
import { ProviderFailure } from './provider-failure';
import { ProviderStrategy, StrategyOptions, StrategyRequest } from './provider-strategy';
import { ExternalProfile } from './identity-provider';

/** The limit for all steps together. The callback's own work is not included. */
const DEADLINE_MS = 7_000;

type Outcome = { readonly redirect: string } | { readonly profile: ExternalProfile };
type Middleware = (request: StrategyRequest, response: object, next: (error?: unknown) => void) => void;

/** Errors: `ProviderFailure` if the work exceeds the deadline of a login. */
export function withinDeadline<T>(work: () => Promise<T>): Promise<T> {
  return withDeadline(DEADLINE_MS, work(), () => new ProviderFailure('timed out'));
}

/** Runs passport outside of HTTP and returns what it would send. */
export function runStrategy(
  strategy: ProviderStrategy,
  request: StrategyRequest,
  options: StrategyOptions,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const done = (error: unknown, profile: ExternalProfile | false | null | undefined): void => {
      if (error) reject(rootOf(error));
      else if (profile) resolve({ profile });
      else reject(new ProviderFailure('login rejected'));
    };
    const middleware = strategy.getPassportInstance().authenticate('upstream', options, done) as unknown as Middleware;
    const response = {
      statusCode: 302,
      setHeader: (name: string, value: string) => {
        if (name === 'Location') resolve({ redirect: value });
      },
      end: () => undefined,
    };
    middleware(request, response, reject);
  });
}

/** The cause, because passport-oauth2 wraps errors of requests. */
function rootOf(error: unknown): Error {
  const { oauthError } = error as { oauthError?: unknown };
  if (oauthError instanceof Error) return oauthError;
  return error instanceof Error ? error : new ProviderFailure('login rejected');
}
