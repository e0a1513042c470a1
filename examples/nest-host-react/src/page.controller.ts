import { Controller, Get, NotFoundException, Param, StreamableFile } from '@nestjs/common';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** Where `vite build` puts the page. */
const folder = process.env['PAGE_DIR'] ?? join(__dirname, '..', 'page');

function read(...path: string[]): StreamableFile {
  const name = join(folder, ...path);
  return new StreamableFile(readFileSync(name), { type: TYPES[extname(name)] ?? 'application/octet-stream' });
}

/** Serves the built page. A larger host takes @fastify/static for that. */
@Controller()
export class PageController {
  private readonly assets: ReadonlySet<string> = new Set(readdirSync(join(folder, 'assets')));

  @Get()
  index(): StreamableFile {
    return read('index.html');
  }

  @Get('assets/:name')
  asset(@Param('name') name: string): StreamableFile {
    if (!this.assets.has(name)) throw new NotFoundException();
    return read('assets', name);
  }
}
