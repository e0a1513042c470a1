import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asksForTraces, readEnvironment } from '../../src/platform/config';

const root = join(__dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const { version } = jest.requireActual<{ version: string }>('../../package.json');

/** The variables that the code asks for. */
function variables(): string[] {
  const asked = new Set<string>();
  const source = new Proxy<Record<string, string | undefined>>({}, { get: (_, name) => void asked.add(String(name)) });
  readEnvironment(source);
  asksForTraces(source);
  return [...asked].sort();
}

describe('.env.example', () => {
  const lines = Array.from(read('.env.example').matchAll(/^# ([A-Z_]+)=(.*)$/gm), ([, name = '', value = '']) => ({
    name,
    value,
  }));

  it('lists the variables that the code reads, each once', () => {
    expect(lines.map(({ name }) => name).toSorted()).toEqual(variables());
  });

  it('gives values that are taken', () => {
    const usable = lines.filter(({ name }) => !name.endsWith('_FILE'));
    expect(readEnvironment(Object.fromEntries(usable.map(({ name, value }) => [name, value]))).port).toBe(4_000);
  });

  it('sets nothing until a line is uncommented', () => {
    expect(read('.env.example').match(/^[^#\n].*$/gm)).toBeNull();
  });
});

describe('Dockerfile', () => {
  const text = read('Dockerfile');

  it('builds and runs on the one base that NODE_IMAGE names', () => {
    expect(Array.from(text.matchAll(/^FROM (\S+)/gm), ([, base]) => base)).toEqual(['${NODE_IMAGE}', '${NODE_IMAGE}']);
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

describe('the unit of systemd', () => {
  it('sets only variables that the code reads', () => {
    const set = Array.from(read(UNIT).matchAll(/^Environment=([A-Z_]+)=/gm), ([, name = '']) => name);
    expect(set.length).toBeGreaterThan(1);
    expect(set.filter((name) => !variables().includes(name))).toEqual([]);
  });

  it('waits longer for the end than the service does', () => {
    const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(read(UNIT))?.[1]);
    expect(seconds).toBeGreaterThan(readEnvironment({}).shutdownSeconds);
  });

  if (!existsSync(ANALYZE)) process.stdout.write(`${ANALYZE} is missing; skipped: the unit as systemd judges it\n`);
  (existsSync(ANALYZE) ? it : it.skip)('is valid, and exposes little, as systemd judges it', () => {
    const { stderr } = spawnSync(ANALYZE, ['verify', join(root, UNIT)], { encoding: 'utf8' });
    // Node.js may be installed elsewhere on this machine.
    const problems = stderr.split('\n').filter((line) => line !== '' && !line.includes('/usr/bin/node'));
    expect(problems).toEqual([]);
    const judged = spawnSync(ANALYZE, ['security', '--offline=true', join(root, UNIT)], { encoding: 'utf8' });
    const exposure = Number(/Overall exposure level for castellan\.service: ([\d.]+)/.exec(judged.stdout)?.[1]);
    expect(exposure).toBeLessThan(2);
  });
});
