import { declaredErrors } from '../../../src/platform/errors';
import { Answer, Problem, TestClient as PublishedClient } from '../../../src/testing/test-client';

export { freshAddress } from '../../../src/testing/test-client';
export type { Answer, Method, Problem, SendOptions } from '../../../src/testing/test-client';

const JWT = /eyJ[\w-]+\.[\w-]+\./;

/** Responses of these routes follow the OAuth RFCs. */
const PROTOCOL = /^\/api\/oauth\/(?:authorize|token|userinfo|jwks|revoke|introspect|logout|par)\b|^\/\.well-known\/o/;

/** The route that gives a page a token, an assertion for another service. */
const ASSERTION = /^\/api\/auth\/assertion\b/;

/** The published client, which also checks every response against the general rules of the service. */
export class TestClient extends PublishedClient {
  protected override check(answer: Answer<unknown>, path: string): void {
    if (PROTOCOL.test(path)) return;
    if (!ASSERTION.test(path) && JWT.test(answer.text)) throw new Error(`The body of ${path} carries a token`);
    checkAlways(answer, path);
  }
}

/** A response to HEAD states the length of the body that it leaves out. */
const isHead = ({ text, headers }: Answer<unknown>): boolean => text === '' && Number(headers['content-length']) > 0;

function checkAlways(answer: Answer<unknown>, path: string): void {
  if (answer.status < 400 || path.startsWith('/health') || isHead(answer)) return;
  const problem = answer.body as Partial<Problem>;
  const type = String(answer.headers['content-type']);
  const known = declaredErrors().find(({ code }) => code === problem.code);
  if (
    !type.startsWith('application/problem+json') ||
    known?.status !== answer.status ||
    problem.status !== answer.status
  ) {
    throw new Error(`The error of ${path} is no known problem: ${answer.status} ${type} ${answer.text}`);
  }
  if (/\{\w+\}/.test(`${problem.title} ${problem.detail}`)) {
    throw new Error(`A placeholder was not replaced: ${answer.text}`);
  }
  if (problem.request_id !== answer.headers['x-request-id']) {
    throw new Error(`The request id is missing: ${answer.text}`);
  }
}
