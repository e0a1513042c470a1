export * from './in-batches';
export * from './jobs';
export * from './lanes';
export * from './name-queue';
