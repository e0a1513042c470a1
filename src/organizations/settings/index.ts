export * from './organization-settings.module';
export * from './service-logins';
export * from './ways-in.service';
