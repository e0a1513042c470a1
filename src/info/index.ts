export * from './docs/openapi-document.factory';
export * from './info.module';
export * from './info.service';
