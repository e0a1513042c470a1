import { buildConnector, Client } from 'undici';
import { DeliveryLimitsService } from '../delivery-limits.service';
import { BAD_ANSWER, BROKEN, SendResult, TIMEOUT, UNREACHABLE } from '../send-result';

export interface HttpPost {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface HttpAnswer {
  readonly status: number;
  /** The raw body. `json` is undefined if the body is not JSON. */
  readonly text: string;
  readonly json: unknown;
  readonly retryAfterSeconds: number | undefined;
}

/** A response, or the reason why there is none. */
export type Exchange =
  | { readonly answer: HttpAnswer; readonly failure?: undefined }
  | {
      readonly answer?: undefined;
      readonly failure: string;
      /** The connection timed out. */
      readonly tookTooLong?: boolean;
    };

const MAX_BYTES = 65_536;
const MAX_RETRY_SECONDS = 86_400;

/**
 * Sends one POST, without following redirects, and reads at most 64 KiB. Each POST opens a connection, because a broken
 * kept-alive connection leaves open whether the request arrived. Retries once if the connection failed before its
 * timeout. After a timeout, the remaining time is left to the fallback provider.
 */
export async function post(request: HttpPost, limits: DeliveryLimitsService): Promise<Exchange> {
  const deadline = AbortSignal.timeout(limits.totalMs);
  const first = await attempt(request, limits, deadline);
  const isWorthAnother = first.failure === UNREACHABLE && !first.tookTooLong && !deadline.aborted;
  return isWorthAnother ? attempt(request, limits, deadline) : first;
}

/** The outcome without a response: unless the connection failed, the message may have been sent. */
export function failedExchange(provider: string, failure: string): SendResult {
  return { outcome: failure === UNREACHABLE ? 'rejected' : 'unknown', provider, providerCode: failure };
}

/** The outcome of a response of which only the status is understood. */
export function outcomeOfStatus(provider: string, { status, retryAfterSeconds }: HttpAnswer): SendResult {
  if (status < 300) return { outcome: 'unknown', provider, providerCode: BAD_ANSWER };
  const providerCode = `http_${status}`;
  if (status >= 500) return { outcome: 'unknown', provider, providerCode };
  if (status !== 429) return { outcome: 'rejected', provider, providerCode };
  return {
    outcome: 'throttled',
    provider,
    providerCode,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}

async function attempt(
  { url, headers, body }: HttpPost,
  limits: DeliveryLimitsService,
  signal: AbortSignal,
): Promise<Exchange> {
  const connection = { isMade: false };
  const connect = buildConnector({ timeout: limits.connectMs });
  const client = new Client(url.origin, {
    headersTimeout: limits.totalMs,
    bodyTimeout: limits.totalMs,
    maxResponseSize: MAX_BYTES,
    connect: (options, callback) => {
      connect(options, (...made) => {
        connection.isMade ||= made[0] === null;
        callback(...made);
      });
    },
  });
  try {
    const path = `${url.pathname}${url.search}`;
    const {
      statusCode,
      headers: answered,
      body: content,
    } = await client.request({ method: 'POST', path, headers, body, signal });
    const text = await content.text();
    return {
      answer: { status: statusCode, text, json: parsed(text), retryAfterSeconds: seconds(answered['retry-after']) },
    };
  } catch (error) {
    if (connection.isMade) return { failure: failureOf(error, signal) };
    return { failure: UNREACHABLE, tookTooLong: errorCode(error) === 'UND_ERR_CONNECT_TIMEOUT' };
  } finally {
    await client.destroy();
  }
}

const TIMEOUTS = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);
const UNREADABLE = /^(?:HPE_|UND_ERR_RES_)/;

function failureOf(error: unknown, signal: AbortSignal): string {
  const code = errorCode(error);
  if (signal.aborted || TIMEOUTS.has(code)) return TIMEOUT;
  return UNREADABLE.test(code) ? BAD_ANSWER : BROKEN;
}

const errorCode = (error: unknown): string => String((error as { code?: unknown }).code);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function seconds(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,6}$/.test(header)
    ? Math.min(Number(header), MAX_RETRY_SECONDS)
    : undefined;
}
