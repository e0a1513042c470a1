import * as fc from 'fast-check';
import type { Operation } from './api';
import { hostileText, hostileValue, nearlyValid, validValue, Words } from './values';

export const ACTORS = ['nobody', 'user', 'administrator', 'machine'] as const;
export type Actor = (typeof ACTORS)[number];

export interface FuzzRequest {
  readonly actor: Actor;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload?: string;
}

/** Well-formed and percent-encoded, as a client library would send it. */
const encoded = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return encodeURIComponent(text.toWellFormed());
};

/** Address parts that no library would send. */
const rawPart = fc.constantFrom(
  '%00',
  '%',
  '%zz',
  '%ff%fe',
  '..%2f..%2f',
  ';a=b',
  '%2e%2e',
  '%20',
  'a'.repeat(3_000),
  '*',
);

function pathOf(operation: Operation, words: Words): fc.Arbitrary<string> {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const parts = names.map((name) => {
    const known = fc.constantFrom(...(words[name] ?? ['x']));
    const sound = fc.oneof({ weight: 8, arbitrary: known }, fc.uuid({ version: 7 }), hostileText).map(encoded);
    return fc.oneof({ weight: 12, arbitrary: sound }, rawPart);
  });
  return fc
    .tuple(...parts)
    .map((values) =>
      values.reduce<string>((path, value, at) => path.replace(`{${names[at]}}`, () => value), operation.path),
    );
}

function queryOf(operation: Operation, words: Words, forced: Words): fc.Arbitrary<string> {
  const known = operation.parameters.filter((parameter) => parameter.in === 'query');
  const pair = ({ name, schema = {} }: (typeof known)[number]): fc.Arbitrary<string> => {
    const value = fc.oneof({ weight: 3, arbitrary: validValue(schema, words, name) }, hostileText);
    return value.map((one) => `${name}=${encoded(one)}`);
  };
  const stray = fc.tuple(hostileText, hostileText).map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  const odd = fc.constantFrom(
    'page=1&page=2',
    'lang[]=en',
    'a[b]=c',
    '__proto__[x]=1',
    '&&&=',
    '%',
    'page_size=%00',
    '#',
    '?',
  );
  const always = Object.entries(forced).map(([name, [value]]) => fc.constant(`${name}=${String(value)}`));
  const some = fc.subarray(known.filter(({ name }) => !(name in forced)));
  const asked = some.chain((parameters) => fc.tuple(...always, ...parameters.map(pair)));
  const list = fc.tuple(asked, fc.option(fc.oneof(stray, odd), { freq: 8 }));
  return list.map(([pairs, extra]) => [...pairs, ...(extra === null ? [] : [extra])].join('&'));
}

interface Payload {
  readonly payload?: string;
  readonly type?: string;
}

/** Texts that are no valid body, or that parsers read differently. */
const rawBody = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '{',
    '[]',
    'null',
    '"x"',
    '1e400',
    '{"a":1e400}',
    '\ufeff{}',
    '{"__proto__":{"x":1}}',
    '{"constructor":{"prototype":{"x":1}}}',
    '{"username":"a","username":"b"}',
    '{"a":"\\ud800"}',
    '{"a":"\u0000"}',
    "{'a':1}",
    `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
    `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
    `{"a":"${'x'.repeat(70_000)}"}`,
    `{${Array.from({ length: 2_000 }, (_, at) => `"k${at}":1`).join()}}`,
  ),
  hostileValue.map((value) => JSON.stringify(value)),
);
const oddType = fc.constantFrom(
  'text/plain',
  'application/json\ta',
  ' application/json',
  'application/json; charset=utf-16',
  'application/json x',
  'Application/JSON',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/merge-patch+json',
  '',
  'a'.repeat(500),
);

const toForm = (value: unknown): string =>
  Object.entries(value ?? {})
    .map(([name, one]) => `${encoded(name)}=${encoded(one)}`)
    .join('&');

function bodyOf(operation: Operation, words: Words): fc.Arbitrary<Payload> {
  const kinds = [...operation.bodies].flatMap(([type, schema]) => {
    const write = type === 'application/json' ? (value: unknown) => JSON.stringify(value) : toForm;
    const valid = validValue(schema, words);
    const sent = (value: unknown): Payload => ({ payload: write(value), type });
    return [
      { weight: 6, arbitrary: valid.map(sent) },
      { weight: 8, arbitrary: nearlyValid(valid).map(sent) },
      { weight: 1, arbitrary: fc.tuple(valid, oddType).map(([value, odd]) => ({ payload: write(value), type: odd })) },
      { weight: 2, arbitrary: rawBody.map((payload) => ({ payload, type })) },
    ];
  });
  if (kinds.length > 0) return fc.oneof(...kinds);
  const stray = rawBody.map((payload) => ({ payload, type: 'application/json' }));
  return fc.oneof({ weight: 5, arbitrary: fc.constant<Payload>({}) }, stray);
}

const oddHeaders = fc.constantFrom<Readonly<Record<string, string>>[]>(
  { cookie: 'iam_access=; iam_refresh=' },
  { cookie: 'iam_access=a.b.c; iam_access=a.b.d' },
  { cookie: `iam_access=${'x'.repeat(8_000)}` },
  { cookie: '=;;; =a; iam_access' },
  { cookie: 'iam_refresh=eyJhbGciOiJub25lIn0.e30.' },
  { cookie: 'iam_access=%00%ff' },
  { cookie: 'iam_access=\u00ff\u00fe' },
  { authorization: 'Bearer' },
  { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' },
  { authorization: 'Basic Og==' },
  { authorization: 'Basic \u00ff' },
  { authorization: 'DPoP x', dpop: 'x' },
  { 'accept-language': '*;q=9, zh-%, x'.repeat(50) },
  { 'x-forwarded-for': '::ffff:1.2.3.4, a, ' },
  { 'x-forwarded-host': 'evil.example\u00ff', 'x-forwarded-proto': 'javascript' },
  { 'x-request-id': 'a\u00ffb'.repeat(100) },
  { origin: 'null' },
  { origin: 'https://evil.example' },
  { 'sec-fetch-site': 'cross-site' },
  { 'user-agent': '\u00ff'.repeat(2_000) },
  { 'x-http-method-override': 'DELETE' },
  { accept: 'text/html' },
  { 'if-none-match': '*' },
  { range: 'bytes=0-' },
  { traceparent: '00-0-0-0' },
);

/** Arbitrary requests to this route: valid, nearly valid and malicious, by any user. */
export function requestTo(operation: Operation, words: Words, forced: Words): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({
      actor: fc.constantFrom(...ACTORS),
      path: pathOf(operation, words),
      query: queryOf(operation, words, forced),
      body: bodyOf(operation, words),
      odd: fc.option(oddHeaders, { freq: 5 }),
    })
    .map(({ actor, path, query, body: { payload, type }, odd }) => ({
      actor,
      url: query === '' ? path : `${path}?${query}`,
      headers: { ...(type !== undefined && { 'content-type': type }), ...odd },
      ...(payload !== undefined && { payload }),
    }));
}
