import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readIdentityEnvironment } from '../../src/identity/identity.variables';
import { asksForTraces, provideTraceHeaders } from '../../src/platform/config';
import { nginxProgram } from '../support/servers/nginx-server';

const root = join(__dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const { version } = jest.requireActual<{ version: string }>('../../package.json');

/** Environment variables that the code reads. */
function variables(): string[] {
  const asked = new Set<string>();
  const source = new Proxy<Record<string, string | undefined>>({}, { get: (_, name) => void asked.add(String(name)) });
  readIdentityEnvironment(source);
  asksForTraces(source);
  provideTraceHeaders(source);
  return [...asked].sort();
}

describe('.env.example', () => {
  const lines = Array.from(read('.env.example').matchAll(/^# ([A-Z_]+)=(.*)$/gm), ([, name = '', value = '']) => ({
    name,
    value,
  }));

  it('lists each variable that the code reads once', () => {
    expect(lines.map(({ name }) => name).toSorted()).toEqual(variables());
  });

  it('contains valid values', () => {
    const usable = lines.filter(({ name }) => !name.endsWith('_FILE'));
    expect(readIdentityEnvironment(Object.fromEntries(usable.map(({ name, value }) => [name, value]))).port).toBe(
      4_000,
    );
  });

  it('sets nothing until a line is uncommented', () => {
    expect(read('.env.example').match(/^[^#\n].*$/gm)).toBeNull();
  });
});

describe('Dockerfile', () => {
  const text = read('Dockerfile');

  it('builds and runs on the one base image of NODE_IMAGE, named by digest', () => {
    expect(Array.from(text.matchAll(/^FROM (\S+)/gm), ([, base]) => base)).toEqual(['${NODE_IMAGE}', '${NODE_IMAGE}']);
    expect(text).toMatch(/^ARG NODE_IMAGE=node:\d+\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64}$/m);
  });

  it('labels the image with the version of the package', () => {
    expect(/^ARG VERSION=(.+)$/m.exec(text)?.[1]).toBe(version);
    const labels = Array.from(text.matchAll(/org\.opencontainers\.image\.([a-z.]+)="/g), ([, name]) => name);
    expect(labels).toEqual(
      expect.arrayContaining(['title', 'licenses', 'version', 'revision', 'created', 'base.name']),
    );
  });
});

const UNIT = 'deploy/systemd/castellan.service';
const ANALYZE = '/usr/bin/systemd-analyze';

describe('systemd unit', () => {
  it('sets only variables that the code reads', () => {
    const set = Array.from(read(UNIT).matchAll(/^Environment=([A-Z_]+)=/gm), ([, name = '']) => name);
    expect(set.length).toBeGreaterThan(1);
    expect(set.filter((name) => !variables().includes(name))).toEqual([]);
  });

  it('waits longer for the stop than the service takes', () => {
    const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(read(UNIT))?.[1]);
    expect(seconds).toBeGreaterThan(readIdentityEnvironment({}).shutdownSeconds);
  });

  if (!existsSync(ANALYZE)) process.stdout.write(`${ANALYZE} is missing; skipped: the check of the unit by systemd\n`);
  (existsSync(ANALYZE) ? it : it.skip)('is valid and well restricted according to systemd', () => {
    const { stderr } = spawnSync(ANALYZE, ['verify', join(root, UNIT)], { encoding: 'utf8' });
    // Node.js may be at another path on this machine.
    const problems = stderr.split('\n').filter((line) => line !== '' && !line.includes('/usr/bin/node'));
    expect(problems).toEqual([]);
    const judged = spawnSync(ANALYZE, ['security', '--offline=true', join(root, UNIT)], { encoding: 'utf8' });
    const exposure = Number(/Overall exposure level for castellan\.service: ([\d.]+)/.exec(judged.stdout)?.[1]);
    expect(exposure).toBeLessThan(2);
  });
});

const NGINX = 'deploy/nginx.conf';

/** Compares dotted versions. A missing part counts as 0. */
function isAtLeast(version: string, minimum: string): boolean {
  const [have, want] = [version, minimum].map((text) => text.split('.').map(Number));
  const differing = want!.findIndex((part, index) => (have![index] ?? 0) !== part);
  return differing === -1 || (have![differing] ?? 0) > want![differing]!;
}

describe('nginx configuration', () => {
  const needed = /^# Needs nginx ([\d.]+) or later/m.exec(read(NGINX))?.[1] ?? '';
  const installed = existsSync(nginxProgram)
    ? /nginx\/([\d.]+)/.exec(spawnSync(nginxProgram, ['-v'], { encoding: 'utf8' }).stderr)?.[1]
    : undefined;
  const isNewEnough = installed !== undefined && isAtLeast(installed, needed);
  const check = (file: string): unknown => {
    const { status, stderr } = spawnSync(nginxProgram, ['-t', '-c', file], { encoding: 'utf8' });
    return [status, status === 0 ? '' : stderr];
  };

  it('works with the nginx of compose.yaml', () => {
    const image = /^ +image: nginx:([\d.]+)/m.exec(read('compose.yaml'))?.[1] ?? '';
    expect([needed, image]).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+$/), expect.stringMatching(/^\d+\.\d+/)]);
    expect(isAtLeast(image, needed)).toBe(true);
  });

  if (!isNewEnough) {
    const found = installed === undefined ? `there is no nginx at ${nginxProgram}` : `nginx is ${installed}`;
    process.stdout.write(`${found}, not ${needed} or later; skipped: the check of ${NGINX} as it is by nginx\n`);
  }
  (isNewEnough ? it : it.skip)('is valid as shipped according to nginx', () => {
    expect(check(join(root, NGINX))).toEqual([0, '']);
  });

  (installed === undefined ? it.skip : it)('is valid without `resolve` according to any nginx', () => {
    const folder = mkdtempSync(join(tmpdir(), 'castellan-nginx-'));
    try {
      const file = join(folder, 'nginx.conf');
      const shipped = read(NGINX);
      const plain = shipped
        .replace('server castellan:4000 resolve ', 'server 127.0.0.1:4000 ')
        .replaceAll(' /tmp/', ` ${folder}/`);
      expect(plain).not.toMatch(/ resolve /);
      writeFileSync(file, plain);
      expect(check(file)).toEqual([0, '']);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
