export * from './notice.settings';
export * from './notices.module';
