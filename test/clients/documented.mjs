// The lines of the README and of guides, run as a newcomer would: in a new folder, with packages from the registry.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/** What a newcomer may take, in milliseconds. */
export const TEN_MINUTES = 600_000;

/** Why the README cannot be followed here; false if it can. The generators come from the registry. */
export function obstacle(generator) {
  try {
    execFileSync('npm', ['view', generator, 'version'], { stdio: 'pipe', timeout: 60_000 });
    return false;
  } catch {
    return `the npm registry does not answer for ${generator}`;
  }
}

/** Code blocks of a section, in order: the language, the file named in the first line, and the text. */
export function blocksOf(document, heading) {
  const sections = readFileSync(join(ROOT, document), 'utf8').split(/^(?=##+ )/m);
  const section = sections.find((part) => part.replace(/^#+ /, '').startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({
    language,
    file: /^\/\/ (\S+)\n/.exec(text)?.[1],
    text,
  }));
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/** A folder where a newcomer works. */
export class Desk {
  #folder = mkdtempSync(join(tmpdir(), 'castellan-readme-'));
  #packed = join(this.#folder, 'packed');
  #running;
  /** Where the lines so far have led. */
  place = this.#folder;

  /** Packs a package of the repository, after building what is missing. */
  pack(folder, built, build) {
    mkdirSync(this.#packed, { recursive: true });
    const from = join(ROOT, folder);
    if (!existsSync(join(from, built))) execFileSync('npm', ['run', '-s', build], { cwd: ROOT, stdio: 'inherit' });
    execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', this.#packed], { cwd: from });
  }

  /** Runs lines to their end. Like a shell, it remembers where they lead. */
  run(lines) {
    const script = `${lines.replaceAll('/path/to', this.#packed)}\npwd > ${this.#folder}/place`;
    // Answers yes where npm asks whether to fetch a generator.
    const env = { ...process.env, npm_config_yes: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };
    execFileSync('sh', ['-euc', script], { cwd: this.place, env, stdio: ['ignore', 'pipe', 'inherit'] });
    this.place = readFileSync(join(this.#folder, 'place'), 'utf8').trim();
  }

  /** Space on the disk, in MB. */
  sizeOf(folder) {
    return Number.parseInt(execFileSync('du', ['-sm', folder], { cwd: this.place, encoding: 'utf8' }), 10);
  }

  write(file, text) {
    const path = join(this.place, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** Runs lines that do not end, and returns the part of their output that the pattern finds. */
  async start(lines, pattern, environment = {}) {
    // In a group, so that the programs which npm starts end, too.
    const child = spawn('sh', ['-euc', lines], {
      cwd: this.place,
      env: { ...process.env, ...environment },
      detached: true,
    });
    this.#running = child;
    let output = '';
    return new Promise((found, failed) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk) => {
          output += chunk;
          const [, part] = pattern.exec(output) ?? [];
          if (part !== undefined) found(part);
        });
      }
      child.once('close', () => failed(new Error(`${lines.trim()} ended: ${output}`)));
    });
  }

  /** Ends the lines that were started. */
  async stop() {
    if (this.#running?.exitCode !== null) return;
    process.kill(-this.#running.pid, 'SIGTERM');
    await once(this.#running, 'close');
  }

  async clear() {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
