export * from './jobs';
export * from './name-queue';
