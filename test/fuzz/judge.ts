import type { LightMyRequestResponse } from 'fastify';
import { declaredErrors } from '../../src/platform/errors';
import { schemaJudge } from '../support/documents/openapi-schemas';
import { document, Operation } from './api';

const PROBLEM = 'application/problem+json';
const JWT = /eyJ[\w-]+\.[\w-]+\./;
/** Routes that return tokens. */
const WITH_TOKENS = /^\/api\/(?:oauth\/|auth\/assertion$)/;
const DEFECT = /\bat .+\.[jt]s:\d+|SELECT .+ FROM|QueryFailedError|node_modules/;

/** Errors from before routing, which a route does not document. */
const BEFORE_ROUTES = new Set(['malformed_json', 'not_found', 'payload_too_large', 'unsupported_media_type']);

// Each problem schema completes ProblemDto by its codes.
const conforms = schemaJudge(document, new Set(['ProblemDto']));

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

function mediaTypeOf({ headers }: LightMyRequestResponse): string {
  return String(headers['content-type'] ?? '').split(';')[0] ?? '';
}

/** An error from before routing, which any address can return. */
function isRejectedBeforeRouting(answer: LightMyRequestResponse): boolean {
  const code = (parsed(answer.payload) as { code?: string } | undefined)?.code ?? '';
  const known = declaredErrors().find((error) => error.code === code);
  return mediaTypeOf(answer) === PROBLEM && BEFORE_ROUTES.has(code) && known?.status === answer.statusCode;
}

function bodyFault(operation: Operation, answer: LightMyRequestResponse): string | undefined {
  const contents = operation.responses[answer.statusCode]?.content;
  if (answer.payload === '') return undefined;
  if (!contents) return answer.statusCode < 300 ? 'an answer with a body where none is documented' : undefined;
  const type = mediaTypeOf(answer);
  const content = contents[type];
  if (!content) return `the media type ${type} is not documented`;
  if (!content.schema || !/[/+]json$/.test(type)) return undefined;
  return conforms(content.schema, parsed(answer.payload));
}

/** The fault of a response regardless of the request, or undefined. */
export function faultOf(operation: Operation, answer: LightMyRequestResponse): string | undefined {
  const { statusCode, payload } = answer;
  if (statusCode >= 500 && !(statusCode === 502 && operation.responses['502'])) return 'a defect';
  if (DEFECT.test(payload)) return 'a word of what is inside';
  if (JWT.test(payload) && !WITH_TOKENS.test(operation.path)) return 'a token in the body';
  if (isRejectedBeforeRouting(answer)) return undefined;
  if (!(statusCode in operation.responses)) return 'a status that is not documented';
  return bodyFault(operation, answer);
}
