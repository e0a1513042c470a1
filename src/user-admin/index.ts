export * from './user-admin.module';
