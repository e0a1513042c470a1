import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const above = (folder: string): string => (existsSync(join(folder, 'package.json')) ? folder : above(dirname(folder)));

/** The folder that holds `i18n/` and `package.json`, from the sources, the build and the image's bundle alike. */
export const projectRoot = above(__dirname);

const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string };

export const serviceVersion = manifest.version;
