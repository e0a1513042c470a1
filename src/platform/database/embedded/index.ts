export { DataFolderInUseError, DataFolderLock } from './data-folder-lock';
export { EmbeddedDatabase, type EmbeddedDatabaseOptions } from './embedded-database';
export { createEmbeddedPool, type EmbeddedClient, type EmbeddedPool } from './embedded-pool';
export { EmbeddedBusyError, type LeaseLimits } from './session-queue';
export type { EmbeddedResult, Statement } from './statement';
