import { DeliveryOutcome } from '../message';

/** What a provider made of one message. */
export interface SendResult {
  readonly outcome: DeliveryOutcome;
  /** `smtp`, `aliyun`, …: the last provider that was tried. */
  readonly provider: string;
  /** What the provider calls the message. */
  readonly providerMessageId?: string;
  /** The provider's own code, or one of ours where it gave none: `unreachable`, `timeout`, `bad_answer`, … */
  readonly providerCode?: string;
  /** How many messages the provider counts, where it says so. */
  readonly costClass?: string;
  /** Whole seconds after which a throttled one may do, where the provider says so. */
  readonly retryAfterSeconds?: number;
}

/** No provider could be reached: nothing was sent. */
export const UNREACHABLE = 'unreachable';
/** The message was handed over, and no answer came in time. */
export const TIMEOUT = 'timeout';
/** The message was handed over, and the connection broke. */
export const BROKEN = 'connection_broken';
/** The message was handed over, and the answer says neither yes nor no. */
export const BAD_ANSWER = 'bad_answer';
/** The provider failed so often of late that it was not asked: nothing was sent. */
export const CIRCUIT_OPEN = 'circuit_open';
/** The provider, or its template, is not set up completely: nothing was sent. */
export const NOT_SET_UP = 'not_set_up';
