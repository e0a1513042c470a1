export * from './in-batches';
export * from './jobs';
export * from './name-queue';
