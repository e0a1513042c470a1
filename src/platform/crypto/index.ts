export * from './argon2-password-hasher';
export * from './encryption-keys';
export * from './hashing-queue';
export * from './password-hasher';
export * from './random';
export * from './secret-box';
