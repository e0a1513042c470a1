import { doesNotThrow, equal, notEqual, ok } from 'node:assert/strict';
import type { Log } from '../../platform/logging';
import { ContractCase, contractOf, forEach, Make, UnderTest } from './contract-case';

export interface LogUnderTest extends UnderTest {
  readonly log: Log;
  /** The whole log so far, in its final form. */
  readonly written: () => string | Promise<string>;
}

type Level = 'debug' | 'info' | 'warn' | 'error';

const levels: readonly Level[] = ['debug', 'info', 'warn', 'error'];
const SECRET = 'cAnArY-4711';

const circle: Record<string, unknown> = {};
circle['self'] = circle;

/** Fields that careless callers pass. */
const oddFields: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['an error', { err: new Error('staged', { cause: new Error('below') }) }],
  ['a text under err', { err: 'a text' }],
  ['a circular object', circle],
  ['numbers that JSON cannot represent', { big: 10n, not: Number.NaN }],
  ['symbols and functions', { symbol: Symbol('s'), work: () => 1, none: undefined }],
];

/** The contract of every `Log`. The log must write all levels. */
export function logContract(make: Make<LogUnderTest>): ContractCase[] {
  return contractOf<LogUnderTest>(make, {
    ...forEach<Level, LogUnderTest>(
      levels,
      (level) => `writes message and fields at ${level}`,
      async ({ log, written }, level) => {
        log[level](`hello at ${level}`, { user_id: 'u-4711' });
        const text = await written();
        ok(text.includes(`hello at ${level}`), text);
        ok(text.includes('u-4711'), text);
      },
    ),
    ...forEach<(typeof oddFields)[number], LogUnderTest>(
      oddFields,
      ([name]) => `does not throw for ${name}`,
      async ({ log, written }, [, fields]) => {
        doesNotThrow(() => {
          log.warn('still written', fields);
        });
        ok((await written()).includes('still written'));
      },
    ),
    'adds the fields of a child to its own lines only': async ({ log, written }) => {
      const child = log.child({ request_id: 'r-1' }).child({ job: 'j-1' });
      child.info('from the child');
      const text = await written();
      ok(text.includes('r-1') && text.includes('j-1'), text);
      log.info('from the parent');
      equal((await written()).slice(text.length).includes('r-1'), false);
    },
    'masks fields with the names of secrets': async ({ log, written }) => {
      log.error('failed', { password: SECRET, nested: { access_token: SECRET, headers: { cookie: SECRET } } });
      const text = await written();
      notEqual(text, '');
      equal(text.includes(SECRET), false);
    },
    'counts dropped lines': ({ log }) => {
      ok(Number.isSafeInteger(log.droppedLines) && log.droppedLines >= 0);
    },
  });
}
