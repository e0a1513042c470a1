import { Dispatcher } from 'undici';
import { OutboundError, OutboundFailure } from './outbound-error';

export interface OutboundAnswer {
  readonly status: number;
  /** Media type in lower case without parameters; empty if missing. */
  readonly mediaType: string;
  readonly text: string;
}

export interface OutboundBeginning extends OutboundAnswer {
  /** Whether `text` is all that was sent. */
  readonly isWhole: boolean;
}

const MAX_BYTES = 256 * 1024;
/** A longer response to a delivery closes the connection. */
const MAX_BEGINNING_BYTES = 16 * 1024;
const CLOSED = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'];

/** The error of a call that failed or was aborted at its deadline. */
export function failureOf(error: unknown, deadline: AbortSignal): OutboundError {
  if (error instanceof OutboundError) return error;
  return new OutboundError(deadline.aborted || isTimeout(error) ? 'timed_out' : 'unreachable');
}

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code);
const isTimeout = (error: unknown): boolean => codeOf(error).includes('TIMEOUT');

/** Whether the server closed the connection before it responded. */
export const isConnectionClosed = (error: unknown): boolean => CLOSED.includes(codeOf(error));

/** Errors: `OutboundError` for a redirect, a compressed or a long response. */
export async function readAnswer(response: Dispatcher.ResponseData): Promise<OutboundAnswer> {
  rejectRedirect(response);
  // A few compressed bytes can expand to gigabytes, and compression was not requested.
  if (isEncoded(response)) reject(response, 'encoded');
  return { ...headOf(response), text: await readText(response.body) };
}

/**
 * The beginning of a response of which only the status matters, however it continues; empty if it is compressed. Errors:
 * `OutboundError` for a redirect.
 */
export async function readBeginning(response: Dispatcher.ResponseData): Promise<OutboundBeginning> {
  rejectRedirect(response);
  const beginning = await beginningOf(response.body);
  return { ...headOf(response), ...(isEncoded(response) ? { text: '', isWhole: false } : beginning) };
}

function rejectRedirect(response: Dispatcher.ResponseData): void {
  if (response.statusCode >= 300 && response.statusCode < 400) reject(response, 'redirected');
}

function reject({ body }: Dispatcher.ResponseData, reason: OutboundFailure): never {
  // Destroying the body emits an error, which without a listener would end the process.
  body.on('error', () => undefined).destroy();
  throw new OutboundError(reason);
}

const isEncoded = ({ headers }: Dispatcher.ResponseData): boolean =>
  textOf(headers['content-encoding'], 'identity') !== 'identity';

function headOf({ statusCode, headers }: Dispatcher.ResponseData): Pick<OutboundAnswer, 'status' | 'mediaType'> {
  const [mediaType = ''] = textOf(headers['content-type'], '').split(';');
  return { status: statusCode, mediaType: mediaType.trim() };
}

const textOf = (header: string | string[] | undefined, fallback: string): string =>
  (header === undefined ? fallback : [header].flat().join(',')).toLowerCase();

async function readText(body: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Leaving the loop closes the connection.
    if (size > MAX_BYTES) throw new OutboundError('too_large');
    chunks.push(chunk);
  }
  // Leaves out a byte order mark, which some servers put before JSON.
  return new TextDecoder().decode(Buffer.concat(chunks));
}

async function beginningOf(body: AsyncIterable<unknown>): Promise<Pick<OutboundBeginning, 'text' | 'isWhole'>> {
  const chunks: Buffer[] = [];
  let left = MAX_BEGINNING_BYTES;
  let isWhole = false;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, left));
      left -= chunk.length;
      if (left < 0) break;
    }
    isWhole = left >= 0;
  } catch {
    // The status has arrived: a response that breaks off or lasts too long says no more.
  }
  return { text: Buffer.concat(chunks).toString('utf8'), isWhole };
}
