import { type Problem, problemOf } from './problem';
import { type Refusal, type Renewal, renewalBy } from './renewal';
import type { Turn } from './turn';

/** How requests leave: `fetch`, or what stands in for it. */
export type Send = (url: URL, init: RequestInit) => Promise<Response>;

export interface RenewingOptions {
  readonly baseUrl: string;
  readonly send: Send;
  readonly turn: Turn;
  readonly language?: () => string | undefined;
  readonly onUnauthenticated?: (problem: Problem) => void;
}

const REFRESH = '/api/auth/refresh';
/** Within the grace for a token that was used before: whoever gives up and asks again is not taken for a thief. */
const PATIENCE_MS = 15_000;
/** The refresh that was waited for may have failed: then there is one of one's own. */
const MOST_RENEWALS = 2;
/** 401s that say nobody is logged in, unlike a wrong password or a login that is not recent. */
const NOBODY = new Set(['unauthenticated', 'token_expired', 'session_revoked', 'refresh_reused']);

type Call = () => Promise<Response>;

/** Read once, as it may be sent twice; and a body that is a stream is taken over HTTP/2 only. */
async function readCall(request: Request, { send, language }: RenewingOptions): Promise<Call> {
  const url = new URL(request.url);
  const spoken = language?.();
  if (spoken !== undefined) url.searchParams.set('lang', spoken);
  const { method, headers, signal } = request;
  const body = await request.text();
  return () => send(url, { method, headers, signal, credentials: 'include', ...(body !== '' && { body }) });
}

function refreshBy({ baseUrl, send }: RenewingOptions): () => Promise<Refusal> {
  const url = new URL(REFRESH, baseUrl);
  return async () => {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answer = await send(url, { method: 'POST', credentials: 'include', signal });
    return answer.ok ? undefined : answer;
  };
}

async function hasExpired(answer: Response): Promise<boolean> {
  return answer.status === 401 && (await problemOf(answer))?.code === 'token_expired';
}

async function callFresh(call: Call, renewal: Renewal): Promise<Response> {
  for (let count = 0; ; count++) {
    const renew = renewal();
    const answer = await call();
    if (count === MOST_RENEWALS || !(await hasExpired(answer))) return answer;
    const refusal = await renew();
    if (refusal) return refusal;
  }
}

/** Says that nobody is logged in: once, until a call succeeds again. */
function teller(tell: RenewingOptions['onUnauthenticated']): (answer: Response) => Promise<void> {
  let isTold = false;
  return async (answer) => {
    if (answer.ok) isTold = false;
    const problem = answer.status === 401 ? await problemOf(answer) : undefined;
    if (isTold || !problem || !NOBODY.has(problem.code)) return;
    isTold = true;
    tell?.(problem);
  };
}

/** Sends requests, and renews an access token that ended unseen. What cannot be renewed is answered as the refresh was. */
export function renewingFetch(options: RenewingOptions): (request: Request) => Promise<Response> {
  const renewal = renewalBy(refreshBy(options), options.turn);
  const tell = teller(options.onUnauthenticated);
  return async (request) => {
    const call = await readCall(request, options);
    const isRefresh = new URL(request.url).pathname === REFRESH;
    const answer = await (isRefresh ? call() : callFresh(call, renewal));
    await tell(answer);
    return answer;
  };
}
