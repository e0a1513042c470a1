import { ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { commandsUnder, fileUnder, runCommands } from '../support/documents/documented-commands';
import { eventually } from '../support/service/eventually';
import { NginxServer, nginxProgram } from '../support/servers/nginx-server';
import { describeWithPostgres, PostgresServer } from '../support/servers/postgres-server';
import { freePort, RedisServer } from '../support/servers/redis-server';
import { Build, buildService, endServiceProcesses, ServiceProcess } from '../support/service/service-process';

jest.setTimeout(600_000);

const ROOT = resolve(__dirname, '../..');
const INSTANCES = ['10.0.0.11', '10.0.0.12', '10.0.0.13'];
/** Folders of the page, which are below a private folder here. */
const FOLDERS = /\/(?:etc\/(?:castellan|redis|nginx|prometheus)|var\/backups\/castellan|usr\/local\/bin)\b/g;
const programs = [
  nginxProgram,
  ...['prometheus', 'promtool', 'redis-server', 'openssl', 'curl'].map((name) => `/usr/bin/${name}`),
];
const missing = programs.find((program) => !existsSync(program));

interface Targets {
  readonly data: { readonly activeTargets: readonly { readonly health: string }[] };
}
interface Rules {
  readonly data: { readonly groups: readonly { readonly rules: readonly { readonly health: string }[] }[] };
}

/** The machines of the chapter "Set up production" on this one. */
class Machines {
  readonly ports = new Map<string, number>();
  readonly prometheusPort: Promise<number> = freePort();
  private readonly folder: string;
  private prometheus: ChildProcess | undefined;
  private nginx: NginxServer | undefined;

  private constructor(
    private readonly build: Build,
    private readonly postgres: PostgresServer,
    private readonly redis: RedisServer,
  ) {
    this.folder = join(build.folder, 'machine');
    this.ports.set('10.0.0.5:5432', Number(new URL(postgres.url).port));
    this.ports.set('10.0.0.5:6379', Number(new URL(redis.url).port));
    for (const folder of ['redis', 'nginx/tls', 'prometheus']) {
      mkdirSync(join(this.folder, 'etc', folder), { recursive: true });
    }
    mkdirSync(join(this.folder, 'usr/local/bin'), { recursive: true });
    cpSync(join(ROOT, 'deploy'), join(build.folder, 'deploy'), { recursive: true });
  }

  static async prepared(): Promise<Machines> {
    const machines = new Machines(buildService(), await PostgresServer.started(), await RedisServer.create());
    for (const address of [...INSTANCES.map((instance) => `${instance}:4000`), 'id.example.com:443']) {
      machines.ports.set(address, await freePort());
    }
    const curl = `insecure\nconnect-to = "id.example.com:443:127.0.0.1:${machines.ports.get('id.example.com:443')}"\n`;
    writeFileSync(join(machines.folder, '.curlrc'), curl);
    return machines;
  }

  /** A text of the page with the ports and folders of this machine. */
  here(text: string): string {
    let changed = text.replaceAll(FOLDERS, (folder) => join(this.folder, folder));
    for (const [address, port] of this.ports) changed = changed.replaceAll(address, `127.0.0.1:${port}`);
    return changed.replaceAll(/10\.0\.0\.\d+(?!\/)/g, '127.0.0.1');
  }

  run(commands: string): Promise<string> {
    const { port } = new URL(this.postgres.url);
    const env = { HOME: this.folder, PGHOST: '127.0.0.1', PGPORT: port, PGUSER: 'postgres' };
    return runCommands(this.here(commands), { cwd: this.build.folder, env });
  }

  /** Access as after an installation: only a superuser needs no password. */
  async restrictAccess(): Promise<void> {
    const [row] = await this.postgres.query<{ hba_file: string }>('SHOW hba_file');
    writeFileSync(row!.hba_file, 'host all postgres 127.0.0.1/32 trust\n');
  }

  /** The network of the page contains this machine, and both servers read their configuration. */
  async restartServers(): Promise<void> {
    const [row] = await this.postgres.query<{ hba_file: string }>('SHOW hba_file');
    const lines = readFileSync(row!.hba_file, 'utf8').replace('10.0.0.0/24', '127.0.0.1/32');
    writeFileSync(row!.hba_file, lines);
    await this.postgres.query('SELECT pg_reload_conf()');
    const file = join(this.folder, 'etc/redis/redis.conf');
    await this.redis.start('--include', file, '--bind', '127.0.0.1');
  }

  /** Starts an instance with the variables of the systemd unit and of castellan.env. */
  startInstance(address: string): ServiceProcess {
    const unit = readFileSync(join(ROOT, 'deploy/systemd/castellan.service'), 'utf8');
    const lines = Array.from(unit.matchAll(/^Environment=(.+)$/gm), ([, line = '']) => line);
    const file = readFileSync(join(this.folder, 'etc/castellan/castellan.env'), 'utf8');
    const pairs = [...lines.map((line) => this.here(line)), ...file.trim().split('\n')].map((line) =>
      line.split(/=(.*)/s).slice(0, 2),
    );
    const own = { HOST: '127.0.0.1', PORT: String(this.ports.get(`${address}:4000`)) };
    return ServiceProcess.start(this.build, { ...(Object.fromEntries(pairs) as Record<string, string>), ...own });
  }

  async startNginx(site: string): Promise<void> {
    const tls = join(this.folder, 'etc/nginx/tls/id.example.com');
    const certificate = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-subj', '/CN=id.example.com'];
    const files = ['-keyout', `${tls}.key`, '-out', `${tls}.pem`];
    execFileSync('openssl', ['req', '-x509', '-nodes', '-days', '2', ...certificate, ...files], { stdio: 'ignore' });
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path /tmp/${kind};`,
    );
    const port = await freePort();
    const listen = `listen 127.0.0.1:${this.ports.get('id.example.com:443')} ssl;`;
    const http = [
      ...temporary,
      'access_log off;',
      // Quoted, because an unquoted path below /tmp would move to the folder of nginx.
      this.here(site)
        .replace('listen 443 ssl;', listen)
        .replaceAll(/(ssl_certificate\w*) ([^;]+);/g, '$1 "$2";'),
      `server { listen 127.0.0.1:${port}; return 204; }`,
    ];
    const configuration = `pid /tmp/nginx.pid;\nerror_log stderr warn;\nevents {}\nhttp {\n${http.join('\n')}\n}\n`;
    this.nginx = await NginxServer.started(configuration, `http://127.0.0.1:${port}`);
  }

  writePrometheusFile(text: string): void {
    writeFileSync(join(this.folder, 'etc/prometheus/prometheus.yml'), this.here(text).replaceAll('15s', '1s'));
  }

  async startPrometheus(): Promise<void> {
    const options = [
      `--config.file=${join(this.folder, 'etc/prometheus/prometheus.yml')}`,
      `--storage.tsdb.path=${join(this.folder, 'prometheus')}`,
      `--web.listen-address=127.0.0.1:${await this.prometheusPort}`,
    ];
    const child = spawn('/usr/bin/prometheus', options, { stdio: 'ignore' });
    process.once('exit', () => child.kill('SIGKILL'));
    this.prometheus = child;
  }

  async askPrometheus<T>(path: string): Promise<T | undefined> {
    const answer = await fetch(`http://127.0.0.1:${await this.prometheusPort}${path}`).catch(() => undefined);
    return answer?.ok === true ? ((await answer.json()) as T) : undefined;
  }

  async remove(): Promise<void> {
    this.prometheus?.kill('SIGKILL');
    await this.nginx?.stop();
    await endServiceProcesses();
    await this.redis.remove();
    await this.postgres.remove();
    this.build.remove();
  }
}

describeWithPostgres('the chapter "Set up production"', () => {
  if (missing !== undefined) process.stdout.write(`${missing} is missing; skipped: the production set-up\n`);
  const rule = missing === undefined ? it : it.skip;
  let machines: Machines;
  let instances: ServiceProcess[];
  let backups: string;

  const setUp = async (): Promise<void> => {
    await machines.restrictAccess();
    for (const block of commandsUnder('1. PostgreSQL and Redis', 2)) await machines.run(block);
    await machines.restartServers();
    for (const block of commandsUnder('2. Secrets and variables', 1)) await machines.run(block);

    const [migrate = '', health = '', administrator = ''] = commandsUnder('4. Migrate and start', 3);
    await machines.run(migrate);
    instances = INSTANCES.map((address) => machines.startInstance(address));
    await Promise.all(instances.map(({ ready }) => ready));
    await machines.run(health);
    const variables = migrate.slice(0, migrate.indexOf('node dist'));
    await machines.run(variables + administrator);

    await machines.startNginx(fileUnder('5. nginx', 'nginx'));
    machines.writePrometheusFile(fileUnder('6. Prometheus and alerts', 'yaml'));
    for (const block of commandsUnder('6. Prometheus and alerts', 1)) await machines.run(block);
    await machines.startPrometheus();
    const [script = '', backUp = ''] = commandsUnder('7. Backup', 2);
    await machines.run(script);
    backups = await machines.run(backUp);
  };

  beforeAll(async () => {
    if (missing !== undefined) return;
    machines = await Machines.prepared();
    await setUp();
  });
  afterAll(async () => {
    if (missing === undefined) await machines.remove();
  });

  const statusOf = (options: string, path: string): Promise<string> =>
    machines.run(`curl --silent --output answer --write-out '%{http_code}' ${options} https://id.example.com${path}`);

  rule('serves the administrator on each instance, over TLS and with shared limits', async () => {
    const [health = ''] = commandsUnder('5. nginx', 1);
    expect(JSON.parse(await machines.run(health))).toEqual({
      status: 'ok',
      checks: { database: 'ok', cache: 'ok', migrations: 'ok' },
    });
    const body = `"{\\"type\\":\\"password\\",\\"username\\":\\"admin\\",\\"password\\":\\"$(cat admin_password)\\"}"`;
    const login = `--cookie-jar jar --header 'Content-Type: application/json' --data ${body}`;
    expect(await statusOf(login, '/api/auth/login')).toBe('200');
    for (let asked = 0; asked < 2 * INSTANCES.length; asked++) {
      expect(await statusOf('--cookie jar', '/api/auth/me')).toBe('200');
    }
    for (const { lines } of instances) expect(lines.some((line) => line.includes('"/api/auth/me"'))).toBe(true);
    expect(await statusOf('', '/api/auth/me')).toBe('401');
    expect(await statusOf('', '/metrics')).toBe('404');
  });

  rule('is watched by Prometheus with every alert rule', async () => {
    await eventually(
      () => machines.askPrometheus<Targets>('/api/v1/targets'),
      (answer) => answer?.data.activeTargets.filter(({ health }) => health === 'up').length === INSTANCES.length,
      60,
    );
    const shipped = readFileSync(join(ROOT, 'deploy/prometheus/castellan.rules.yml'), 'utf8');
    const { groups } = parse(shipped) as { groups: { rules: unknown[] }[] };
    const loaded = await eventually(
      () => machines.askPrometheus<Rules>('/api/v1/rules'),
      (answer) => answer?.data.groups.every(({ rules }) => rules.every(({ health }) => health === 'ok')) === true,
      60,
    );
    expect(loaded?.data.groups.map(({ rules }) => rules.length)).toEqual(groups.map(({ rules }) => rules.length));
  });

  rule('sends alerts to the receivers of a valid file', () => {
    const file = parse(fileUnder('6. Prometheus and alerts', 'yml')) as {
      route: { receiver: string };
      receivers: { name: string }[];
    };
    expect(file.receivers.map(({ name }) => name)).toContain(file.route.receiver);
  });

  rule('has a backup', () => {
    expect(backups).toMatch(/^\d{8}T\d{6}Z\.dump\n$/);
  });
});
