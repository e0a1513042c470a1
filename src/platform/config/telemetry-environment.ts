import { EnvironmentError } from './environment-error';
import { TRACE_HEADERS } from './secret-files';
import { VariableReader } from './variable-reader';

/** Whether the OpenTelemetry variables enable traces: they name an endpoint and do not disable the exporter. */
export function asksForTraces(source: NodeJS.ProcessEnv = process.env): boolean {
  if (source['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return false;
  if (source['OTEL_TRACES_EXPORTER']?.trim() === 'none') return false;
  return ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'].some((name) => Boolean(source[name]));
}

/**
 * Puts the headers for the collector into the variable where the exporter reads them, if the variable with the suffix
 * `_FILE` names a file of them. Errors: `EnvironmentError`.
 */
export function provideTraceHeaders(source: Record<string, string | undefined> = process.env): void {
  const read = new VariableReader(source);
  const headers = read.text(TRACE_HEADERS);
  if (read.problems.length > 0) throw new EnvironmentError(read.problems);
  if (headers !== undefined) source[TRACE_HEADERS] = headers;
}
