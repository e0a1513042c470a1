/** What the server lets styles of this very page be known by. */
export const pageNonce = (): string => document.getElementById('info')?.dataset['nonce'] ?? '';
