export * from './believed';
export * from './cache-providers';
export * from './invalidations';
export * from './key-value-cache';
export * from './memory-cache';
export * from './shared-state';
