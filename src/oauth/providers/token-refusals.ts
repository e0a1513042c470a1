import { ProviderFailure } from './provider-failure';

/** How providers say that they know the client, and not the code (RFC 6749 §5.2, and names of their own). */
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
 * What the answer to a code that nobody gave tells of the client: `passed` where only the code was wrong, `failed` where the
 * client was, or where there was no answer; `unclear` where the provider's word is not known.
 */
export function judgeRefusal(error: unknown): 'passed' | 'failed' | 'unclear' {
  if (!(error instanceof ProviderFailure) || !error.isRefusal) return 'failed';
  if (CODE_REFUSED.has(error.code ?? '')) return 'passed';
  return CLIENT_REFUSED.has(error.code ?? '') ? 'failed' : 'unclear';
}
