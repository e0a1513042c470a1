import {
  BadRequestException,
  ConflictException,
  ForbiddenException,
  HttpException,
  NotFoundException,
  UnauthorizedException,
} from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import { platformErrors } from '../../errors';
import { toProblem } from './to-problem';

const withCode = (code: string, statusCode?: number): Error =>
  Object.assign(new Error('internal words'), { code, statusCode });

describe('toProblem', () => {
  it('keeps a problem as it is', () => {
    const problem = platformErrors.versionConflict();
    expect(toProblem(problem)).toBe(problem);
  });

  it.each<[string, unknown, number, string]>([
    ['a body too large', withCode('FST_ERR_CTP_BODY_TOO_LARGE', 413), 413, 'payload_too_large'],
    ['an unsupported media type', withCode('FST_ERR_CTP_INVALID_MEDIA_TYPE', 415), 415, 'unsupported_media_type'],
    ['malformed JSON', withCode('FST_ERR_CTP_INVALID_JSON_BODY', 400), 400, 'malformed_json'],
    [
      'a host’s own JSON parser',
      Object.assign(new SyntaxError('Unexpected token'), { statusCode: 400 }),
      400,
      'malformed_json',
    ],
    ['a malformed URL', withCode('FST_ERR_BAD_URL', 400), 404, 'not_found'],
    ['a URL with a segment that is too long', withCode('FST_ERR_MAX_PARAM_LENGTH', 414), 404, 'not_found'],
    ['an exception of Nest', new NotFoundException(), 404, 'not_found'],
    ['a guard of the host', new UnauthorizedException(), 401, 'unauthenticated'],
    ['another guard of the host', new ForbiddenException(), 403, 'forbidden'],
    ['a controller of the host', new ConflictException('own words'), 409, 'conflict'],
    ['a pipe of the host', new BadRequestException(), 400, 'bad_request'],
    ['a throttle of the host', new HttpException('slow down', 429), 429, 'rate_limited'],
    ['an overloaded host', new HttpException('busy', 503), 503, 'unavailable'],
    ['a broken host', new HttpException('broken', 502), 500, 'internal_error'],
    ['a host that throws a success', new HttpException('fine', 200), 500, 'internal_error'],
    ['a status without a name', new HttpException('what', 499), 499, 'refused'],
    ['a client that disconnects within its body', withCode('ECONNRESET', 400), 400, 'malformed_json'],
    ['a refused connection', withCode('ECONNREFUSED'), 503, 'unavailable'],
    [
      'a missing socket',
      Object.assign(withCode('ENOENT'), { syscall: 'connect', address: '/run/postgresql/.s.PGSQL.5432' }),
      503,
      'unavailable',
    ],
    ['a missing file', Object.assign(withCode('ENOENT'), { syscall: 'open' }), 500, 'internal_error'],
    ['a database that restarts', new QueryFailedError('SELECT', [], withCode('57P01')), 503, 'unavailable'],
    ['a missing table', new QueryFailedError('SELECT', [], withCode('42P01')), 500, 'internal_error'],
    ['a programming error', new TypeError('undefined is not a function'), 500, 'internal_error'],
    ['a text', 'text', 500, 'internal_error'],
    ['nothing', undefined, 500, 'internal_error'],
    ['null', null, 500, 'internal_error'],
  ])('converts %s', (_, thrown, status, code) => {
    const problem = toProblem(thrown);
    expect([problem.status, problem.code]).toEqual([status, code]);
    if (status === 429 || status === 503) expect(problem.retryAfterSeconds).toBeGreaterThan(0);
    if (code === 'internal_error') expect(problem.cause).toBe(thrown);
  });
});
