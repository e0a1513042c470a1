import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { projectRoot } from '../../platform/config';

const compress = promisify(gzip);
const BUILT = join(projectRoot, 'dist', 'web');
const MANIFEST = '.vite/manifest.json';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export interface UiAsset {
  readonly type: string;
  readonly content: Buffer;
  readonly gzipped: Buffer;
}

interface ManifestEntry {
  readonly file: string;
}

/** The build output of one HTML entry: its page, and the built files by source file. */
interface Entry {
  readonly page: string;
  readonly manifest: Readonly<Record<string, ManifestEntry>>;
}

const entries = { auth: 'index.html', console: 'console.html' } as const;
export type UiEntry = keyof typeof entries;

/** The built browser UI. It is read on first use: a few files, whose names change with their content. */
@Injectable()
export class UiFilesService {
  private readonly read = new Map<UiEntry, Entry>();
  private assets: Promise<ReadonlyMap<string, UiAsset>> | undefined;

  /** The page template for all paths, to be filled with language and data. Undefined if the UI was not built. */
  page(entry: UiEntry): string | undefined {
    return this.entry(entry)?.page;
  }

  /** The URL of a built source file of the UI. */
  addressOf(entry: UiEntry, source: string): string | undefined {
    const file = this.entry(entry)?.manifest[source]?.file;
    return file === undefined ? undefined : `/${file}`;
  }

  async asset(name: string): Promise<UiAsset | undefined> {
    this.assets ??= readAssets().catch((error: unknown) => {
      // A failed first read, for example with too many open files, must not disable the pages permanently.
      this.assets = undefined;
      throw error;
    });
    return (await this.assets).get(name);
  }

  private entry(name: UiEntry): Entry | undefined {
    const known = this.read.get(name);
    if (known) return known;
    const folder = join(BUILT, name);
    if (!existsSync(join(folder, MANIFEST))) return undefined;
    const manifest = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')) as Entry['manifest'];
    const entry = { page: readFileSync(join(folder, entries[name]), 'utf8'), manifest };
    this.read.set(name, entry);
    return entry;
  }
}

async function readAssets(): Promise<ReadonlyMap<string, UiAsset>> {
  const folders = Object.keys(entries)
    .map((name) => join(BUILT, name, 'assets'))
    .filter((folder) => existsSync(folder));
  const files = folders.flatMap((folder) => readdirSync(folder).map((name) => readAsset(folder, name)));
  return new Map(await Promise.all(files));
}

async function readAsset(folder: string, name: string): Promise<readonly [string, UiAsset]> {
  const content = readFileSync(join(folder, name));
  const type = types[extname(name)] ?? 'application/octet-stream';
  return [name, { type, content, gzipped: await compress(content, { level: 9 }) }];
}
