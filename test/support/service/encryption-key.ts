/** A key of ENCRYPTION_KEYS under this name: 32 times the same character or byte. */
export const encryptionKey = (name: string, fill: string | number): string =>
  `${name}:${Buffer.alloc(32, fill).toString('base64url')}`;
