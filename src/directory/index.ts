export * from './directory.module';
