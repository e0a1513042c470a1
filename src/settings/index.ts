export type { AskedUpdate } from './setting-batch';
export * from './setting-history.entity';
export * from './setting-updates.service';
export * from './setting.entity';
export * from './settings.module';
export * from './settings.permissions';
export * from './settings.service';
