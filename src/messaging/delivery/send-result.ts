import { DeliveryOutcome } from '../message/message';

/** The result of sending one message. */
export interface SendResult {
  readonly outcome: DeliveryOutcome;
  /** `smtp`, `aliyun`, …: the last provider that was called. */
  readonly provider: string;
  /** The provider's id of the message. */
  readonly providerMessageId?: string;
  /** The provider's code, or one of this service: `unreachable`, `timeout`, `bad_answer`, … */
  readonly providerCode?: string;
  /** The number of messages that the provider bills, if it reports it. */
  readonly costClass?: string;
  /** Whole seconds until a retry of a throttled message may succeed, if the provider reports it. */
  readonly retryAfterSeconds?: number;
}

/** The provider could not be reached. Nothing was sent. */
export const UNREACHABLE = 'unreachable';
/** The message was handed over, and no response came in time. */
export const TIMEOUT = 'timeout';
/** The message was handed over, and the connection broke. */
export const BROKEN = 'connection_broken';
/** The message was handed over, and the response is not understood. */
export const BAD_ANSWER = 'bad_answer';
/** The circuit breaker is open after repeated failures of the provider. Nothing was sent. */
export const CIRCUIT_OPEN = 'circuit_open';
/** The provider or its template is not configured completely. Nothing was sent. */
export const NOT_SET_UP = 'not_set_up';
