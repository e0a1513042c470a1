import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder that holds `i18n/` and `package.json`, from the sources and from the build alike. */
export const projectRoot = join(__dirname, '..', '..', '..');

const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string };

export const serviceVersion = manifest.version;
