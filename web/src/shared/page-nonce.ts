/** Nonce of the page's content security policy, for styles. */
export const pageNonce = (): string => document.getElementById('info')?.dataset['nonce'] ?? '';
