// Generates src/schema.ts from docs/openapi.json: the types of openapi-typescript, and the codes of errors as a union.
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { readFile, writeFile } from 'node:fs/promises';
import { calmEnd } from '../../scripts/calm-end.mjs';

const file = new URL('../../docs/openapi.json', import.meta.url);

/** The values of each `code` in the responses of all routes. */
function errorCodes({ paths }) {
  const found = new Set();
  JSON.stringify(paths, (key, value) => {
    if (key === 'code') for (const code of value?.enum ?? []) found.add(code);
    return value;
  });
  return [...found].sort();
}

const codes = errorCodes(JSON.parse(await readFile(file, 'utf8')));
const union = codes.map((code) => `  | '${code}'`).join('\n');
const types = `${astToString(await openapiTS(file))}
/** Codes of errors that routes document. Stable, never translated. */
export type ErrorCode =
${union};
`;
await writeFile(new URL('src/schema.ts', import.meta.url), `${COMMENT_HEADER}${types}`);
await calmEnd();
