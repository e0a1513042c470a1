/*
 * Follows the Dockerfile without Docker and leaves the image's files in a folder:
 *   node scripts/image-files.mjs --out FOLDER   prints `{ folder, command, healthcheck, environment, user, skipped }`
 *   node scripts/image-files.mjs --context      prints the files that `COPY . .` takes
 * `--from` names another source tree. The base image is this machine's Node.js. Packages come from npm's cache
 * where it has them, or with `--installed` from the source tree's node_modules: `npm ci` then only checks the lock file.
 * A command that names a path outside the working directory acts on the base image and is skipped.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, posix, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { calmEnd } from './calm-end.mjs';
import { contextFiles } from './image/build-context.mjs';
import { readDockerfile } from './image/dockerfile.mjs';
import { linkPackages } from './image/link-packages.mjs';

const { values: options } = parseArgs({
  options: {
    from: { type: 'string', default: join(import.meta.dirname, '..') },
    out: { type: 'string' },
    context: { type: 'boolean', default: false },
    installed: { type: 'boolean', default: false },
  },
});
const root = resolve(options.from);

/** A path of a base image, which every Debian has. */
const OF_BASE_IMAGE = /(^|\s)\/(usr|opt|bin|etc|var|root)\//;
/** npm's errors when a package is not in its cache and cannot be fetched. */
const IS_UNREACHABLE = /code (ENOTCACHED|ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ENETUNREACH|E40[13]|E5\d\d)/;
const WITHOUT_EFFECT_ON_FILES = new Set(['LABEL', 'EXPOSE']);

/** Follows the steps of one Dockerfile. Each stage has a folder, which takes the place of its file system. */
class ImageFiles {
  #stages = new Map();
  #stage;
  #files = contextFiles(root);

  constructor(folder) {
    this.folder = folder;
  }

  follow({ instruction, text }) {
    if (WITHOUT_EFFECT_ON_FILES.has(instruction)) return;
    const step = { FROM, WORKDIR, COPY, RUN, ENV, USER, HEALTHCHECK, CMD }[instruction];
    if (!step) throw new Error(`Cannot follow ${instruction} ${text}`);
    step(this, text);
  }

  begin(name) {
    const folder = join(this.folder, `${this.#stages.size}`);
    this.#stage = { folder, workdir: '/', environment: {}, skipped: [] };
    this.#stages.set(name ?? folder, this.#stage);
  }

  get stage() {
    return this.#stage;
  }

  /** A path of the stage's file system, relative ones in its working directory, as a path of this machine. */
  at(path, stage = this.#stage) {
    return join(stage.folder, posix.resolve(stage.workdir, path));
  }

  stageNamed(name) {
    const stage = this.#stages.get(name);
    if (!stage) throw new Error(`No stage ${name}`);
    return stage;
  }

  /** The files of the context at or below a path. */
  filesAt(path) {
    const from = posix.normalize(path).replace(/\/$/, '');
    const found = this.#files.filter((file) => from === '.' || file === from || file.startsWith(`${from}/`));
    if (found.length === 0) throw new Error(`Nothing to copy at ${path}`);
    return { from, found };
  }
}

function FROM(image, text) {
  image.begin(/\sAS\s+(\S+)$/i.exec(text)?.[1]);
}

function WORKDIR(image, text) {
  image.stage.workdir = posix.resolve(image.stage.workdir, text);
  mkdirSync(image.at('.'), { recursive: true });
}

function COPY(image, text) {
  const [, stage, paths] = /^(?:--from=(\S+)\s+)?(.*)$/.exec(text);
  const sources = paths.split(/\s+/);
  const to = sources.pop();
  for (const source of sources) {
    if (stage !== undefined) moveFromStage(image, image.stageNamed(stage), source, to);
    else copyFromContext(image, source, to);
  }
}

/** Moved, because no later step reads the same path again: a copy of all packages takes long. */
function moveFromStage(image, stage, source, to) {
  const from = image.at(source, stage);
  const target = statSync(from).isFile() && to.endsWith('/') ? `${to}${basename(from)}` : to;
  if (existsSync(image.at(target))) throw new Error(`${target} exists already`);
  mkdirSync(dirname(image.at(target)), { recursive: true });
  renameSync(from, image.at(target));
}

function copyFromContext(image, source, to) {
  const { from, found } = image.filesAt(source);
  for (const file of found) {
    const inside = file === from ? basename(file) : from === '.' ? file : file.slice(from.length + 1);
    const isWholePath = file === from && !to.endsWith('/') && to !== '.';
    cpSync(join(root, file), image.at(isWholePath ? to : posix.join(to, inside)), { verbatimSymlinks: true });
  }
}

function RUN(image, text) {
  if (OF_BASE_IMAGE.test(text)) {
    image.stage.skipped.push(text);
    return;
  }
  const isInstall = text.startsWith('npm ci');
  const { status, stderr } = shell(image, isInstall && options.installed ? `${text} --dry-run` : text);
  if (status !== 0 && !(isInstall && IS_UNREACHABLE.test(stderr))) throw new Error(`${text} failed: ${stderr}`);
  if (status !== 0) console.error(`Not run: ${text}. The registry cannot be reached: the installed packages are used.`);
  if (status !== 0 || (isInstall && options.installed)) linkInstalled(image);
}

/** The packages of the project and those that only a workspace has in this version. */
function linkInstalled(image) {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const folder of ['.', ...workspaces]) {
    const installed = join(root, folder, 'node_modules');
    if (existsSync(installed)) linkPackages(realpathSync(installed), image.at(join(folder, 'node_modules')));
  }
}

function shell(image, text) {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, npm_config_prefer_offline: 'true', ...image.stage.environment };
  return spawnSync('sh', ['-c', text], { cwd: image.at('.'), env, encoding: 'utf8' });
}

function ENV(image, text) {
  for (const [, name, value] of text.matchAll(/(\w+)=(\S+)/g)) image.stage.environment[name] = value;
}

function USER(image, text) {
  image.stage.user = text;
}

function CMD(image, text) {
  image.stage.command = JSON.parse(text);
}

function HEALTHCHECK(image, text) {
  image.stage.healthcheck = JSON.parse(text.slice(text.indexOf('CMD') + 'CMD'.length));
}

function build(out) {
  if (existsSync(out)) throw new Error(`${out} exists already`);
  mkdirSync(dirname(out), { recursive: true });
  const work = mkdtempSync(`${out}-stages-`);
  try {
    const image = new ImageFiles(work);
    for (const step of readDockerfile(join(root, 'Dockerfile'))) image.follow(step);
    const { folder, workdir, ...rest } = image.stage;
    renameSync(folder, out);
    return { folder: join(out, workdir), ...rest };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

if (options.context) console.log(JSON.stringify(contextFiles(root)));
else if (options.out) console.log(JSON.stringify(build(resolve(options.out))));
else throw new Error('--out FOLDER or --context is missing');

await calmEnd();
