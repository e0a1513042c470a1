import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const above = (folder: string): string => (existsSync(join(folder, 'package.json')) ? folder : above(dirname(folder)));

/** The folder with `i18n/` and `package.json`; works from the sources, the build and the bundle of the image. */
export const projectRoot = above(__dirname);

const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string };

export const serviceVersion = manifest.version;
