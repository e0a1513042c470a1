export * from './info.module';
export * from './info.service';
export * from './info.settings';
