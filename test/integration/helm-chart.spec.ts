import { identityVariables, readIdentityEnvironment } from '../../src/identity/identity.variables';
import { secretVariables, TRACE_HEADERS } from '../../src/platform/config';
import {
  chart,
  ChartRenderer,
  defaults,
  Json,
  Manifest,
  missingForCharts,
  problemsOf,
  readChart,
} from '../support/documents/chart/chart';

const { version } = jest.requireActual<{ version: string }>('../../package.json');
const REQUIRED: Json = { publicUrl: 'https://id.example.com', trustedProxies: '10.20.0.0/16' };
const EVERYTHING: Json = {
  ...REQUIRED,
  image: { digest: `sha256:${'a'.repeat(64)}`, pullSecrets: [{ name: 'registry' }] },
  env: { LOG_LEVEL: 'warn', OTEL_SERVICE_NAME: 'id: "x"' },
  autoscaling: { enabled: true },
  ingress: { enabled: true, className: 'nginx', host: 'id.example.com', tlsSecretName: 'tls', annotations: { a: 'b' } },
  networkPolicy: { from: [{ namespaceSelector: { matchLabels: { team: 'edge' } } }] },
  metricsAllow: '10.30.0.0/16',
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  service: { annotations: { a: 'b' } },
  podAnnotations: { a: 'b' },
  podLabels: { c: 'd' },
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ key: 'dedicated', operator: 'Exists' }],
  affinity: { nodeAffinity: {} },
};

describe('values of the chart', () => {
  it('have the version of the package', () => {
    expect([chart.version, chart.appVersion]).toEqual([version, version]);
  });

  it('satisfy their schema once an address and the proxies are set', () => {
    expect(problemsOf(REQUIRED)).toEqual([]);
    expect(problemsOf(EVERYTHING)).toEqual([]);
  });

  it.each<[string, Json, string]>([
    ['no address', {}, '/publicUrl'],
    ['an address without TLS', { ...REQUIRED, publicUrl: 'http://id.example.com' }, '/publicUrl'],
    ['no proxies', { publicUrl: 'https://id.example.com' }, '/trustedProxies'],
    ['a proxy at any address', { ...REQUIRED, trustedProxies: '10.20.0.0/16, 0.0.0.0/0' }, '/trustedProxies'],
    ['a proxy at any private address', { ...REQUIRED, trustedProxies: 'loopback,uniquelocal' }, '/trustedProxies'],
    ['metrics for any IPv4 address', { ...REQUIRED, metricsAllow: '0.0.0.0/0' }, '/metricsAllow'],
    ['metrics for any IPv6 address', { ...REQUIRED, metricsAllow: '::/0' }, '/metricsAllow'],
    ['metrics for any private address', { ...REQUIRED, metricsAllow: 'UniqueLocal' }, '/metricsAllow'],
    ['a ServiceMonitor without its network', { ...REQUIRED, serviceMonitor: { enabled: true } }, '/metricsAllow'],
    ['a secret among the plain variables', { ...REQUIRED, env: { ENCRYPTION_KEYS: 'x' } }, '/env'],
    ['no key for the encryption keys', { ...REQUIRED, secret: { keys: ['DATABASE_URL'] } }, '/secret/keys'],
    ['an unknown key of the secret', { ...REQUIRED, secret: { keys: ['DATABASE_URL', 'PORT'] } }, '/secret/keys/1'],
    ['an unknown value', { ...REQUIRED, replicas: 2 }, ''],
    ['an invalid digest', { ...REQUIRED, image: { digest: 'latest' } }, '/image/digest'],
  ])('reject %s', (_what, values, place) => {
    expect(problemsOf(values)).toContain(place);
  });

  it('let no other host read the metrics and trust no proxy by default', () => {
    expect(defaults['metricsAllow']).toBe('loopback');
    expect(defaults['trustedProxies']).toBe('');
  });

  it('include every variable that may be read from a file', () => {
    const { properties } = JSON.parse(readChart('values.schema.json')) as {
      properties: { secret: { properties: { keys: { items: { enum: string[] } } } } };
    };
    expect(properties.secret.properties.keys.items.enum.toSorted()).toEqual(
      [...secretVariables, ...identityVariables.flatMap(({ secrets }) => secrets), TRACE_HEADERS].toSorted(),
    );
  });
});

interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: string[];
  readonly env: { name: string; value: string }[];
  readonly securityContext: Json;
  readonly volumeMounts: { name: string; mountPath: string; readOnly: boolean }[];
  readonly ports?: { name: string; containerPort: number }[];
  readonly [probe: `${string}Probe`]: { httpGet: { path: string; port: string } };
}
interface PodSpec {
  readonly containers: [Container];
  readonly securityContext: Json;
  readonly automountServiceAccountToken: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly volumes: [{ name: string; secret: { secretName: string; items: { key: string; path: string }[] } }];
}
interface Template {
  readonly metadata: { labels: Record<string, string> };
  readonly spec: PodSpec;
}

const templateOf = ({ spec }: Manifest): Template => spec['template'] as Template;

if (missingForCharts !== undefined) {
  process.stdout.write(`${missingForCharts} is missing; skipped: the rendered chart\n`);
}
(missingForCharts === undefined ? describe : describe.skip)('rendered chart', () => {
  let renderer: ChartRenderer;

  beforeAll(() => {
    renderer = new ChartRenderer();
  }, 300_000);
  afterAll(() => {
    renderer.remove();
  });

  const find = (values: Json, kind: string): Manifest => {
    const [found] = renderer.render(values).filter((manifest) => manifest.kind === kind);
    if (!found) throw new Error(`No ${kind} was rendered`);
    return found;
  };
  const kindsOf = (values: Json): string[] =>
    renderer
      .render(values)
      .map(({ kind }) => kind)
      .toSorted();

  it('contains everything for production by default, and the rest on demand', () => {
    const always = ['Deployment', 'Job', 'NetworkPolicy', 'PodDisruptionBudget', 'Service'];
    expect(kindsOf(REQUIRED)).toEqual(always);
    const more = ['HorizontalPodAutoscaler', 'Ingress', 'ServiceMonitor'];
    expect(kindsOf(EVERYTHING)).toEqual([...always, ...more].toSorted());
    const off = { networkPolicy: { enabled: false }, podDisruptionBudget: { enabled: false } };
    expect(kindsOf({ ...REQUIRED, ...off, migrations: { enabled: false } })).toEqual(['Deployment', 'Service']);
  });

  it.each(['Deployment', 'Job'])('runs the %s without privileges and with a read-only file system', (kind) => {
    const { spec } = templateOf(find(EVERYTHING, kind));
    expect(spec.automountServiceAccountToken).toBe(false);
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(spec.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it.each(['Deployment', 'Job'])('sets for the %s only variables that it reads, and secrets by reference', (kind) => {
    const asked = new Set<string>();
    const note = (_: object, name: string | symbol): undefined => void asked.add(String(name));
    readIdentityEnvironment(new Proxy<Record<string, string | undefined>>({}, { get: note }));
    const { containers, volumes } = templateOf(find(REQUIRED, kind)).spec;
    const env = new Map(containers[0].env.map(({ name, value }) => [name, value]));
    expect([...env.keys()].filter((name) => !asked.has(name))).toEqual([]);
    expect([...env.values()].every((value) => typeof value === 'string')).toBe(true);
    const [mount] = containers[0].volumeMounts;
    expect(volumes[0].secret.secretName).toBe('castellan');
    for (const { key, path } of volumes[0].secret.items) {
      expect(env.get(`${key}_FILE`)).toBe(`${mount?.mountPath}/${path}`);
      expect(env.has(key)).toBe(false);
    }
  });

  it('probes existing routes on the listening port', () => {
    const [container] = templateOf(find(REQUIRED, 'Deployment')).spec.containers;
    expect(container.ports).toEqual([{ name: 'http', containerPort: 4_000 }]);
    expect(container['readinessProbe']!.httpGet).toEqual({ path: '/health/ready', port: 'http' });
    for (const probe of ['startupProbe', 'livenessProbe'] as const) {
      expect(container[probe]!.httpGet).toEqual({ path: '/health/live', port: 'http' });
    }
  });

  it('lets requests in flight finish before the pod is killed', () => {
    const { spec } = templateOf(find({ ...REQUIRED, shutdownSeconds: 60, preStopSeconds: 10 }, 'Deployment'));
    expect(spec.terminationGracePeriodSeconds).toBe(75);
    expect(spec.containers[0].env).toContainEqual({ name: 'SHUTDOWN_SECONDS', value: '60' });
  });

  it('migrates in a job before the pods, which then skip migrations', () => {
    const job = find(REQUIRED, 'Job');
    expect(job.metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    expect(templateOf(job).spec.containers[0].command).toEqual(['node', 'dist/cli.js', 'migrate', 'run']);
    const flag = (values: Json): string | undefined =>
      templateOf(find(values, 'Deployment')).spec.containers[0].env.find(({ name }) => name === 'MIGRATE_ON_START')
        ?.value;
    expect(flag(REQUIRED)).toBe('false');
    expect(flag({ ...REQUIRED, migrations: { enabled: false } })).toBe('true');
  });

  it.each([
    ['Service', (spec: Json) => spec['selector']],
    ['PodDisruptionBudget', (spec: Json) => (spec['selector'] as Json)['matchLabels']],
    ['NetworkPolicy', (spec: Json) => (spec['podSelector'] as Json)['matchLabels']],
    ['Deployment', (spec: Json) => (spec['selector'] as Json)['matchLabels']],
  ])('selects by the %s only the server’s pods and not those of the job', (kind, selectorOf) => {
    const selector = Object.entries(selectorOf(find(EVERYTHING, kind).spec) as Record<string, string>);
    const isSelected = (owner: string): boolean => {
      const { labels } = templateOf(find(EVERYTHING, owner)).metadata;
      return selector.every(([name, value]) => labels[name] === value);
    };
    expect([isSelected('Deployment'), isSelected('Job')]).toEqual([true, false]);
  });

  it('names the image by digest if set, otherwise by tag', () => {
    const imageOf = (values: Json): string => templateOf(find(values, 'Deployment')).spec.containers[0].image;
    expect(imageOf(REQUIRED)).toBe(`castellan:${version}`);
    expect(imageOf({ ...REQUIRED, image: { tag: 'main' } })).toBe('castellan:main');
    expect(imageOf(EVERYTHING)).toBe(`castellan@sha256:${'a'.repeat(64)}`);
  });

  it('leaves the number of pods to the autoscaler if enabled', () => {
    expect(find(REQUIRED, 'Deployment').spec).toHaveProperty('replicas', 3);
    expect(find(EVERYTHING, 'Deployment').spec).not.toHaveProperty('replicas');
    const target = find(EVERYTHING, 'HorizontalPodAutoscaler').spec['scaleTargetRef'];
    expect(target).toMatchObject({ name: find(EVERYTHING, 'Deployment').metadata.name });
  });

  it('rejects an ingress for another host', () => {
    const values = { ...REQUIRED, ingress: { enabled: true, host: 'other.example.com' } };
    expect(() => renderer.render(values)).toThrow('ingress.host must be the host of publicUrl');
  });

  it('prints the next steps', () => {
    expect(renderer.notes(REQUIRED)).toContain('kubectl rollout status deployment id-castellan --namespace identity');
  });
});
