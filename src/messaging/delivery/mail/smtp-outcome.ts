import { BAD_ANSWER, BROKEN, SendResult, TIMEOUT, UNREACHABLE } from '../send-result';

export interface SmtpFailure {
  /** The error code of nodemailer. */
  readonly code?: string | undefined;
  /** The status code of the server's reply. */
  readonly responseCode?: number | undefined;
}

const PROVIDER = 'smtp';
const BEFORE: Readonly<Record<string, string>> = {
  ETLS: 'tls_failed',
  EPROTOCOL: BAD_ANSWER,
  ENOAUTH: 'login_not_offered',
};
const WHILE: Readonly<Record<string, string>> = { ETIMEDOUT: TIMEOUT, EABORT: TIMEOUT, EPROTOCOL: BAD_ANSWER };

/**
 * Maps a failure to an outcome. A reply is definite (RFC 5321 §4.2.1: 4yz may succeed later, 5yz never). Without a
 * reply, the outcome depends on whether the mail was handed over.
 */
export function smtpOutcome({ code = '', responseCode = 0 }: SmtpFailure, wasHandedOver: boolean): SendResult {
  if (responseCode >= 500) return { outcome: 'rejected', provider: PROVIDER, providerCode: String(responseCode) };
  if (responseCode >= 400) return { outcome: 'throttled', provider: PROVIDER, providerCode: String(responseCode) };
  if (wasHandedOver) return { outcome: 'unknown', provider: PROVIDER, providerCode: WHILE[code] ?? BROKEN };
  return { outcome: 'rejected', provider: PROVIDER, providerCode: BEFORE[code] ?? UNREACHABLE };
}
