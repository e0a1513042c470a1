import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asksForTraces, provideTraceHeaders } from './telemetry-environment';

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

describe('provideTraceHeaders', () => {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-traces-'));
  const path = join(folder, 'headers');

  beforeAll(() => {
    writeFileSync(path, 'authorization=Bearer secret\n');
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    [{}, undefined],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=b' }, 'a=b'],
    [{ OTEL_EXPORTER_OTLP_HEADERS_FILE: path }, 'authorization=Bearer secret'],
  ])('sets the variable of %j to %s', (source: Record<string, string>, expected) => {
    provideTraceHeaders(source);
    expect(source['OTEL_EXPORTER_OTLP_HEADERS']).toBe(expected);
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=b', OTEL_EXPORTER_OTLP_HEADERS_FILE: path }, 'is set beside'],
    [{ OTEL_EXPORTER_OTLP_HEADERS_FILE: join(folder, 'nowhere') }, 'it cannot be read (ENOENT)'],
  ])('rejects %j', (source, problem) => {
    expect(() => {
      provideTraceHeaders(source);
    }).toThrow(problem);
  });
});
