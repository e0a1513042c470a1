export * from './believed';
export * from './key-value-cache';
export * from './memory-cache';
export * from './shared-state';
