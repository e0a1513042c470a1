import { asksForTraces } from './telemetry-environment';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

describe('asksForTraces', () => {
  it.each([
    [{}, false],
    [{ OTEL_SERVICE_NAME: 'castellan' }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, false],
    [endpoint, true],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces' }, true],
    // OpenTelemetry treats an empty variable as unset.
    [{ ...endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: '' }, true],
    [{ ...endpoint, OTEL_SDK_DISABLED: 'TRUE' }, false],
    [{ ...endpoint, OTEL_SDK_DISABLED: 'false' }, true],
    [{ ...endpoint, OTEL_TRACES_EXPORTER: 'none' }, false],
    [{ ...endpoint, OTEL_TRACES_EXPORTER: 'otlp' }, true],
  ])('returns for %j: %s', (environment, expected) => {
    expect(asksForTraces(environment)).toBe(expected);
  });
});
