import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { projectRoot } from '../../platform/config';

const BUILT = join(projectRoot, 'dist', 'web');
const MANIFEST = '.vite/manifest.json';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Content codings (RFC 9110 §8.4.1) by preference, with the extensions of the files that the build writes. */
const extensions = { br: '.br', gzip: '.gz' } as const;
export type ContentCoding = keyof typeof extensions;
export const contentCodings = Object.keys(extensions) as ContentCoding[];

export interface UiAsset {
  readonly type: string;
  readonly content: Buffer;
  /** The same content, compressed. */
  readonly coded: Readonly<Partial<Record<ContentCoding, Buffer>>>;
}

interface ManifestEntry {
  readonly file: string;
}

/** The build output of one HTML entry: its page, and the built files by source file. */
interface Entry {
  readonly page: string;
  readonly manifest: Readonly<Record<string, ManifestEntry>>;
}

const entries = { auth: 'index.html', account: 'account.html', console: 'console.html' } as const;
export type UiEntry = keyof typeof entries;

/** The built browser UI. It is read on first use: a few files, whose names change with their content. */
@Injectable()
export class UiFilesService {
  private readonly read = new Map<UiEntry, Entry>();
  private assets: ReadonlyMap<string, UiAsset> | undefined;

  /** The page template for all paths, to be filled with language and data. Undefined if the UI was not built. */
  page(entry: UiEntry): string | undefined {
    return this.entry(entry)?.page;
  }

  /** The URL of a built source file of the UI. */
  addressOf(entry: UiEntry, source: string): string | undefined {
    const file = this.entry(entry)?.manifest[source]?.file;
    return file === undefined ? undefined : `/${file}`;
  }

  asset(name: string): UiAsset | undefined {
    this.assets ??= readAssets();
    return this.assets.get(name);
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

function readAssets(): ReadonlyMap<string, UiAsset> {
  const folders = Object.keys(entries)
    .map((name) => join(BUILT, name, 'assets'))
    .filter((folder) => existsSync(folder));
  return new Map(folders.flatMap(assetsIn));
}

function assetsIn(folder: string): [string, UiAsset][] {
  const names = readdirSync(folder);
  const read = (name: string): Buffer => readFileSync(join(folder, name));
  const isCoded = (name: string): boolean => contentCodings.some((coding) => name.endsWith(extensions[coding]));
  const codedOf = (name: string): [ContentCoding, Buffer][] =>
    contentCodings
      .map((coding): [ContentCoding, string] => [coding, `${name}${extensions[coding]}`])
      .filter(([, file]) => names.includes(file))
      .map(([coding, file]) => [coding, read(file)]);
  return names
    .filter((name) => !isCoded(name))
    .map((name) => {
      const type = types[extname(name)] ?? 'application/octet-stream';
      return [name, { type, content: read(name), coded: Object.fromEntries(codedOf(name)) }];
    });
}
