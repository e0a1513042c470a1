export * from './believed';
export * from './cache-providers';
export * from './failover-cache';
export * from './invalidations';
export * from './key-value-cache';
export * from './memory-cache';
export * from './redis';
export * from './shared-state';
export { withDeadline } from './deadline';
