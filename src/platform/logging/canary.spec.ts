import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { createLogger, LoggerOptions } from './create-logger';
import { PinoLog } from './pino-log';

const canary = 'cAnArY-4711_x';
const digits = '918273';

const secretNames = [
  'password',
  'new_password',
  'currentPassword',
  'code',
  'verification_code',
  'backup_codes',
  'code_verifier',
  'token',
  'access_token',
  'refresh_token',
  'idToken',
  'client_secret',
  'clientSecret',
  'secret',
  'cookie',
  'Cookie',
  'set-cookie',
  'authorization',
  'Authorization',
  'proxy-authorization',
  'x-api-key',
  'client_assertion',
  'otp',
];

const url = `/api/oauth/callback?code=${canary}&access_token=${canary}&page=2#id_token=${canary}`;

function request(): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  message.method = 'GET';
  message.url = url;
  message.headers = { authorization: `Bearer ${canary}`, cookie: `iam_access=${canary}`, referer: `https://x${url}` };
  message.rawHeaders = ['Cookie', `iam_access=${canary}`];
  return message;
}

function reply(): ServerResponse {
  const response = new ServerResponse(request());
  response.setHeader('set-cookie', `iam_access=${canary}`);
  return response;
}

function databaseError(): Error {
  const driverError = Object.assign(new Error(`invalid input syntax for type uuid: "${canary}"`), {
    code: '22P02',
    detail: `Key (email)=(${canary}) already exists.`,
    where: `unnamed portal parameter $1 = '${canary}'`,
    internalQuery: canary,
  });
  const error = new Error(driverError.message);
  error.name = 'QueryFailedError';
  return Object.assign(error, driverError, { query: `SELECT '${canary}'`, parameters: [canary], driverError });
}

function failedFetch(): Error {
  const cause = new Error(`GET https://idp.example/token?code=${canary} said {"refresh_token":"${canary}"}`);
  const error = new Error(`Authorization: Bearer ${canary}`, { cause });
  return Object.assign(error, { code: digits, config: { headers: { authorization: canary } }, response: canary });
}

const circular: Record<string, unknown> = { password: canary };
circular.self = circular;

const named = Object.fromEntries(secretNames.map((name) => [name, canary]));
const objects: [string, object][] = [
  ['at the top', named],
  ['one below', { body: named }],
  ['five below', { a: { b: { c: { d: { e: named } } } } }],
  ['in a list', { items: [[named], named] }],
  ['as numbers', { code: Number(digits), nested: { token: Number(digits) } }],
  ['as objects and lists', { token: { raw: canary }, cookies: [canary], password: new Map([['a', canary]]) }],
  [
    'in sets of pairs',
    {
      headers: new Headers({ authorization: canary }),
      form: new Map([['password', canary]]),
      search: new URLSearchParams({ code: canary }),
    },
  ],
  ['in pairs', { headers: [['set-cookie', canary]], settings: [{ key: 'smtp.password', value: canary }] }],
  ['in a request', { req: request() }],
  ['as a request', request()],
  ['in a reply', { res: reply() }],
  [
    'in plain request facts',
    { req: { method: 'GET', url, headers: { cookie: canary, referer: url }, rawHeaders: ['cookie', canary] } },
  ],
  ['in URLs', { url, target: new URL(`https://me:${canary}@host${url}`), database: `postgres://me:${canary}@db/x` }],
  ['in encoded URLs', { url: `/login?return_to=%2Fcb%3Fcode%3D${canary}` }],
  ['in texts of JSON', { body: JSON.stringify({ password: canary, deep: JSON.stringify({ client_secret: canary }) }) }],
  ['in form texts', { body: `grant_type=x&client_secret=${canary}&code=${canary}` }],
  ['in a database error', { err: databaseError() }],
  ['as a database error', databaseError()],
  ['in an error', { err: failedFetch(), error: failedFetch() }],
  ['as an error', failedFetch()],
  ['in many errors', new AggregateError([failedFetch()], `password=${canary}`)],
  ['in a circle', circular],
  ['in bytes', { body: Buffer.from(canary) }],
  ['under __proto__', JSON.parse(`{"__proto__":{"password":"${canary}"}}`) as object],
];

const texts = [
  `GET ${url}`,
  `password=${canary}`,
  `password: ${canary}`,
  `the code is code=${digits}`,
  `{ password: '${canary}', "token" : "${canary}" }`,
  `x=password=${canary}`,
  `"token": {"raw": "${canary}"}, "code": ["${canary}"]`,
  `Cookie: a=${canary}; b=${canary}`,
  `Bearer ${canary}`,
  `Basic ${canary}`,
  `redis://:${canary}@cache:6379`,
  `"password":"${canary} unclosed`,
];

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
const formats = ['json', 'pretty'] as const;

function logging(format: LoggerOptions['format'], use: (logger: ReturnType<typeof createLogger>) => void): string {
  let output = '';
  const write = (line: string): void => {
    output += line;
  };
  use(createLogger({ level: 'trace', format, destination: { write } }));
  return output;
}

function expectClean(output: string): void {
  expect(output).not.toBe('');
  expect(output).not.toContain(canary);
  expect(output).not.toContain(digits);
  expect(output).not.toContain(Buffer.from(canary).toString('base64'));
}

describe.each(formats)('secrets in the log (%s)', (format) => {
  it.each(objects)('masks secrets %s', (_name, fields) => {
    expectClean(
      logging(format, (logger) => {
        for (const level of levels) {
          logger[level](fields);
          logger[level](fields, 'with a message');
          logger[level]({ event: fields });
          logger[level]('interpolated %o %j %s', fields, fields, fields);
        }
      }),
    );
  });

  it.each(texts)('masks secrets in the text %j', (text) => {
    expectClean(
      logging(format, (logger) => {
        for (const level of levels) {
          logger[level](text);
          logger[level]({ text, nested: [text] }, text);
          logger[level](new Error(text));
          logger[level]('%s', text);
          logger[level]('%s=%s', 'password', canary);
        }
      }),
    );
  });

  it('masks secrets of a child, its bindings and its serializers', () => {
    expectClean(
      logging(format, (logger) => {
        const serializers = { req: (req: unknown) => req };
        const child = logger.child({ ...named, req: request() }, { serializers }).child({ deep: named });
        child.setBindings({ token: canary });
        child.info({ req: request() }, 'x');
      }),
    );
  });

  it('masks secrets passed to Log', () => {
    expectClean(
      logging(format, (logger) => {
        const log = new PinoLog(logger).child(named);
        for (const level of ['debug', 'info', 'warn', 'error'] as const) {
          log[level](url, { ...named, err: failedFetch() });
        }
      }),
    );
  });
});

describe('sanitized log lines', () => {
  const line = (fields: object, message?: string): Record<string, unknown> =>
    JSON.parse(
      logging('json', (logger) => {
        logger.info(fields, message);
      }),
    ) as Record<string, unknown>;

  it('keep plain fields', () => {
    const fields = {
      user_id: 'u1',
      status_code: 404,
      provider_code: 'E1',
      ok: true,
      none: null,
      list: [1, 'a'],
      has_token: true,
      token: null,
    };
    expect(line(fields, 'GET /api/user?page=2&q=ann')).toMatchObject({
      ...fields,
      msg: 'GET /api/user?page=2&q=[redacted]',
    });
  });

  it('keep type, code, message and frames of an error', () => {
    const error = Object.assign(new TypeError('connect failed'), { code: 'ECONNREFUSED', port: 5432 });
    expect(line(error)).toMatchObject({
      msg: 'connect failed',
      err: {
        type: 'TypeError',
        message: 'connect failed',
        code: 'ECONNREFUSED',
        port: 5432,
        stack: expect.stringMatching(/^TypeError: connect failed\n {4}at /) as string,
      },
    });
  });

  it('keep code and constraint of a database error', () => {
    const error = Object.assign(new Error('duplicate key'), {
      code: '23505',
      constraint: 'user_email_key',
      detail: canary,
    });
    expect(line({ err: error }).err).toMatchObject({
      code: '23505',
      constraint: 'user_email_key',
      message: 'duplicate key',
    });
    expect(line({ err: databaseError() }).err).toMatchObject({
      code: '22P02',
      message: 'invalid input syntax for type uuid',
    });
  });

  it('keep method and path of a request', () => {
    expect(line({ req: request() }).req).toMatchObject({
      method: 'GET',
      url: '/api/oauth/callback?code=[redacted]&access_token=[redacted]&page=2#id_token=[redacted]',
    });
  });
});
