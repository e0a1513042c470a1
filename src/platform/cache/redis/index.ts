export * from './eviction-policy';
export * from './key-prefix';
export * from './redis-cache';
export * from './redis-client';
export * from './redis-invalidations';
export * from './redis-link';
export * from './redis-servers';
