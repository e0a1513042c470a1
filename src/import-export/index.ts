export * from './account-export.service';
export * from './account-import.service';
export { needsAction } from './import-report';
export type { ImportLine, ImportTotals } from './import-report';
export * from './imported-organization.entity';
export * from './imported-user.entity';
export { UnreadableFile } from './file-text';
export { foreignSources } from './sources';
export * from './import-export.module';
