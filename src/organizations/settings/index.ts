export * from './organization-settings.module';
export * from './service-logins';
