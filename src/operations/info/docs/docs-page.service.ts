import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import folderOfSwaggerUi from 'swagger-ui-dist/absolute-path.js';

export interface DocsFile {
  readonly type: string;
  readonly content: Buffer;
}

const JAVASCRIPT = 'text/javascript; charset=utf-8';

/** A separate file, so that the page needs no inline script. */
const START = `window.ui = SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#docs', deepLinking: true, validatorUrl: null });\n`;

const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Castellan API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/start.js"></script>
</body>
</html>
`;

/** The page at `/api/docs` and its files, which are read on the first request. */
@Injectable()
export class DocsPageService {
  readonly html = HTML;
  private files: Map<string, DocsFile> | undefined;

  find(name: string): DocsFile | undefined {
    this.files ??= new Map([
      ['swagger-ui.css', { type: 'text/css; charset=utf-8', content: distributed('swagger-ui.css') }],
      ['swagger-ui-bundle.js', { type: JAVASCRIPT, content: distributed('swagger-ui-bundle.js') }],
      ['start.js', { type: JAVASCRIPT, content: Buffer.from(START) }],
    ]);
    return this.files.get(name);
  }
}

const distributed = (name: string): Buffer => readFileSync(join(folderOfSwaggerUi(), name));
