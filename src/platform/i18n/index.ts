export * from './texts.module';
export * from './translator.service';
