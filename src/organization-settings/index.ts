export * from './organization-settings.module';
