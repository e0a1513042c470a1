import Ajv from 'ajv';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';

export const CHART = join(__dirname, '../../../../deploy/helm/castellan');
const LIBRARIES = '/usr/share/gocode';
const NEEDED = ['/usr/bin/go', `${LIBRARIES}/src/github.com/Masterminds/sprig`, `${LIBRARIES}/src/sigs.k8s.io/yaml`];

/** The first missing prerequisite for rendering charts, or undefined when everything is installed. */
export const missingForCharts = NEEDED.find((path) => !existsSync(path));

export type Json = Record<string, unknown>;

/** The members of a Kubernetes object that tests read. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Record<string, string> };
  readonly spec: Json;
}

export const readChart = (file: string): string => readFileSync(join(CHART, file), 'utf8');
const yamlOf = (file: string): Json => parse(readChart(file)) as Json;
export const chart = yamlOf('Chart.yaml') as { name: string; version: string; appVersion: string };
export const defaults = yamlOf('values.yaml');

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Merges values as Helm does: objects by key, everything else as a whole. */
export function merged(base: Json, over: Json): Json {
  const both = Object.entries(over).map(([key, value]) => {
    const previous = base[key];
    return [key, isObject(previous) && isObject(value) ? merged(previous, value) : value];
  });
  return { ...base, ...(Object.fromEntries(both) as Json) };
}

/** Violations of the schema of the values. */
export function problemsOf(values: Json): string[] {
  const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true });
  const validate = ajv.compile(JSON.parse(readChart('values.schema.json')) as object);
  validate(merged(defaults, values));
  return (validate.errors ?? []).map(({ instancePath }) => instancePath);
}

/** Renders the templates of the chart with Go's template library. */
export class ChartRenderer {
  private readonly folder = mkdtempSync(join(tmpdir(), 'castellan-chart-'));
  private readonly program = join(this.folder, 'render');

  constructor() {
    const env = {
      PATH: process.env['PATH'],
      HOME: this.folder,
      GO111MODULE: 'off',
      GOPATH: LIBRARIES,
      GOFLAGS: '-p=1',
    };
    execFileSync('go', ['build', '-o', this.program, join(__dirname, 'render.go')], { env, stdio: 'inherit' });
  }

  /** Throws the error of a template that rejects the values. */
  render(values: Json): Manifest[] {
    return Object.values(this.files(values))
      .filter((text) => text.trim() !== '')
      .map((text) => parse(text, { strict: true }) as Manifest);
  }

  /** The text that Helm prints after an install. */
  notes(values: Json): string {
    return this.all(values)['NOTES.txt'] ?? '';
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private files(values: Json): Record<string, string> {
    return Object.fromEntries(Object.entries(this.all(values)).filter(([name]) => name.endsWith('.yaml')));
  }

  private all(values: Json): Record<string, string> {
    const input = JSON.stringify({
      Values: merged(defaults, values),
      Release: { Name: 'id', Namespace: 'identity', Service: 'Helm' },
      Chart: { Name: chart.name, Version: chart.version, AppVersion: chart.appVersion },
    });
    const { status, stdout, stderr } = spawnSync(this.program, [CHART], { input, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr.trim());
    return JSON.parse(stdout) as Record<string, string>;
  }
}
