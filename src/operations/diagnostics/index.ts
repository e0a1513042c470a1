export * from './diagnostics.module';
export * from './diagnostics.service';
export type { DiagnosticsDto } from './diagnostics.dto';
