export * from './in-batches';
export * from './scheduler';
export * from './keyed-concurrency-limiter';
export * from './keyed-mutex';
