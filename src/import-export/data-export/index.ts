export * from './own-data.module';
