import { ProviderFailure } from './provider-failure';

/** Errors for an invalid code of a valid client (RFC 6749 §5.2, and vendor codes). */
const INVALID_CODE: ReadonlySet<string> = new Set([
  'invalid_grant',
  // GitHub
  'bad_verification_code',
  // WeChat, WeCom
  '40029',
  // DingTalk
  'invalidParameter.authCode.notFound',
  // Alipay
  'isv.code-invalid',
]);

/** Errors for an unknown client or a wrong secret. */
const INVALID_CLIENT: ReadonlySet<string> = new Set([
  'invalid_client',
  'unauthorized_client',
  // GitHub
  'incorrect_client_credentials',
  // WeChat, WeCom
  '40001',
  '40013',
  '40125',
  // Alipay
  'isv.invalid-app-id',
  'isv.invalid-signature',
]);

/**
 * What the response to an invalid code says about the client: `passed` if only the code is wrong, `failed` if the
 * client is wrong or there is no response, `unclear` for an unknown error.
 */
export function evaluateTokenError(error: unknown): 'passed' | 'failed' | 'unclear' {
  if (!(error instanceof ProviderFailure) || !error.isRejection) return 'failed';
  if (INVALID_CODE.has(error.code ?? '')) return 'passed';
  return INVALID_CLIENT.has(error.code ?? '') ? 'failed' : 'unclear';
}
