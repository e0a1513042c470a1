export * from './believed';
export * from './key-value-cache';
export * from './memory-cache';
