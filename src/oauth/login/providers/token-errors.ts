import { ProviderFailure } from './provider-failure';

/** Errors by which providers accept the client but not the code (RFC 6749 §5.2, and names of their making). */
const CODE_REFUSED: ReadonlySet<string> = new Set([
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

/** How they say that they do not know the client, or that it gave another secret. */
const CLIENT_REFUSED: ReadonlySet<string> = new Set([
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
 * What the response to a made-up code says about the client: `passed` where only the code was wrong, `failed` where the
 * client was, or without a response; `unclear` where the error is unknown.
 */
export function evaluateTokenError(error: unknown): 'passed' | 'failed' | 'unclear' {
  if (!(error instanceof ProviderFailure) || !error.isRefusal) return 'failed';
  if (CODE_REFUSED.has(error.code ?? '')) return 'passed';
  return CLIENT_REFUSED.has(error.code ?? '') ? 'failed' : 'unclear';
}
