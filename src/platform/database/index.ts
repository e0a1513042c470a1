export * from './data-source';
export * from './database';
export * from './database-clock';
export * from './database-errors';
export * from './database-watch';
export * from './embedded';
export type { MigrationReport } from './migration-list';
export * from './startup-tasks';
export * from './transactions';
