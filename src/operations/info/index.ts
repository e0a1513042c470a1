export * from './docs/openapi-document.factory';
export type { InfoDto } from './info.dto';
export * from './info.module';
export * from './info.service';
