export * from './account-export.service';
export * from './account-import.service';
export type { ImportLine, ImportTotals } from './import-report';
export * from './imported-organization.entity';
export * from './imported-user.entity';
export { UnreadableFile } from './json-values';
export { foreignSources } from './sources';
export * from './import-export.module';
