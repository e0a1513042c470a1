export * from './ui.module';
