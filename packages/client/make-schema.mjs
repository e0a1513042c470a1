// Generates src/schema.ts from docs/openapi.json.
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { writeFile } from 'node:fs/promises';
import { calmEnd } from '../../scripts/calm-end.mjs';

const types = await openapiTS(new URL('../../docs/openapi.json', import.meta.url));
await writeFile(new URL('src/schema.ts', import.meta.url), `${COMMENT_HEADER}${astToString(types)}`);
await calmEnd();
