export * from './branding.settings';
export * from './favicon';
export type { RequestedUpdate } from './setting-batch';
export * from './setting-change.entity';
export * from './setting-updates.service';
export * from './stored-setting.entity';
export * from './settings.module';
export * from './settings.permissions';
export * from './settings.service';
