export * from './docs/openapi-document';
export * from './info.module';
export * from './info.service';
