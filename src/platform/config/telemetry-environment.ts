/** Whether the OpenTelemetry variables enable traces: they name an endpoint and do not disable the exporter. */
export function asksForTraces(source: NodeJS.ProcessEnv = process.env): boolean {
  if (source['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return false;
  if (source['OTEL_TRACES_EXPORTER']?.trim() === 'none') return false;
  return ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'].some((name) => Boolean(source[name]));
}
