import { createLogger, LoggerOptions } from './create-logger';
import { NestLogBridge } from './nest-log-bridge';
import { PinoLog } from './pino-log';

function capture(format: LoggerOptions['format'], level: LoggerOptions['level'] = 'trace') {
  const lines: string[] = [];
  const logger = createLogger({ level, format, destination: { write: (line) => lines.push(line) } });
  const events = (): Record<string, unknown>[] => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { logger, lines, events };
}

const forged = 'ann\r\n2026-01-01 INFO: \u001b[31mroot\u001b[0m logged in\u2028\u0085\u202e\u009b2J';
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const dangerous = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202e]/;

describe('createLogger', () => {
  it('writes one JSON object per line with level name and UTC time', () => {
    const { logger, lines, events } = capture('json');
    logger.info({ user_id: 'u1' }, 'hello');
    expect(lines[0]).toMatch(/^\{.*\}\n$/);
    expect(events()[0]).toMatchObject({ level: 'info', msg: 'hello', user_id: 'u1', pid: process.pid });
    expect(events()[0]!.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('writes pretty lines without host and process id', () => {
    const { logger, lines } = capture('pretty');
    logger.info({ user_id: 'u1' }, 'hello');
    expect(lines[0]).toMatch(/^\[\d{4}-\d\d-\d\dT[\d:.]+Z\] INFO: hello \{"user_id":"u1"\}\n$/);
  });

  it('applies the level', () => {
    const { logger, lines } = capture('json', 'warn');
    logger.info('no');
    logger.warn('yes');
    expect(lines).toHaveLength(1);
    expect(capture('json', 'silent').logger.level).toBe('silent');
  });

  it.each(['json', 'pretty'] as const)('escapes line breaks and terminal controls (%s)', (format) => {
    const { logger, lines } = capture(format);
    logger.info({ user_agent: forged, nested: { [forged]: [forged] } }, forged);
    logger.child({ request_id: forged }).info(`%s ${forged}`, forged);
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      expect(line.slice(0, -1)).not.toMatch(/\n/);
      expect(line).not.toMatch(dangerous);
    }
  });

  it('keeps line feeds in JSON values', () => {
    const { logger, events } = capture('json');
    logger.info({ text: 'a\r\nb' });
    expect(events()[0]!.text).toBe('a\r\nb');
  });

  it('prevents an error message from imitating events or frames', () => {
    const { logger, lines } = capture('pretty');
    logger.error(new Error(`${forged}\n    at fake (fake.ts:1:1)\n[2026] INFO: fake`));
    const starts = lines
      .join('')
      .split('\n')
      .filter((line) => /^\S/.test(line));
    expect(starts).toHaveLength(1);
    expect(lines.join('')).not.toMatch(dangerous);
    expect(lines.join('')).not.toMatch(/^\s*at fake/m);
  });

  it('renames fields that collide with its own members', () => {
    const { logger, lines, events } = capture('json');
    logger.info({ level: 'fatal', time: 'never', msg: 'other' }, 'real');
    expect(events()[0]).toMatchObject({ level: 'info', msg: 'real', _level: 'fatal', _time: 'never', _msg: 'other' });
    expect(lines[0]!.match(/"msg":/g)).toHaveLength(1);
  });

  it('handles cycles, depth, breadth, throwing getters and very long texts', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const deep = JSON.parse('{"a":'.repeat(500) + '1' + '}'.repeat(500)) as object;
    const broken = Object.defineProperty({}, 'bad', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    });
    const wide = Array.from({ length: 100_000 }, (_, index) => index);
    const { logger, events, lines } = capture('json');
    logger.info({ circle, broken, long: 'x'.repeat(100_000), big: 10n, not: Number.NaN, deep, wide });
    expect(events()[0]).toMatchObject({
      circle: { self: '[circular]' },
      broken: { bad: '[unreadable]' },
      big: '10',
      not: 'NaN',
    });
    expect(lines[0]!.length).toBeLessThan(20_000);
  });

  it('masks long hostile texts quickly', () => {
    const { logger } = capture('json');
    const started = performance.now();
    for (const part of ['a=', 'a.', 'eyJ-', '"a":"', '://', '\\', '?', 'cookie ', 'Bearer  ', 'a:']) {
      logger.info(part.repeat(20_000));
    }
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe('PinoLog', () => {
  it('logs at each level with its fields and those of a child', () => {
    const { logger, events } = capture('json');
    const log = new PinoLog(logger).child({ request_id: 'r1' });
    log.debug('d');
    log.info('i', { a: 1 });
    log.warn('100 % sure');
    log.error('e', { err: new Error('why') });
    expect(events().map(({ level, msg }) => [level, msg])).toEqual([
      ['debug', 'd'],
      ['info', 'i'],
      ['warn', '100 % sure'],
      ['error', 'e'],
    ]);
    expect(events()[1]).toMatchObject({ request_id: 'r1', a: 1 });
    expect(events()[3]).toMatchObject({ err: { message: 'why' } });
  });
});

describe('NestLogBridge', () => {
  const stack = 'Error: x\n    at a (b.ts:1:1)';
  it.each([
    {
      call: (bridge: NestLogBridge) => {
        bridge.log('started', 'NestApplication');
      },
      event: { level: 'debug', msg: 'started', context: 'NestApplication' },
    },
    {
      call: (bridge: NestLogBridge) => {
        bridge.error('failed', stack, 'ExceptionsHandler');
      },
      event: { level: 'error', msg: 'failed', context: 'ExceptionsHandler', trace: stack },
    },
    {
      call: (bridge: NestLogBridge) => {
        bridge.error('failed', stack);
      },
      event: { level: 'error', trace: stack },
    },
    {
      call: (bridge: NestLogBridge) => {
        bridge.error(new Error('why'));
      },
      event: { level: 'error', msg: 'why', err: expect.objectContaining({ message: 'why' }) as object },
    },
    {
      call: (bridge: NestLogBridge) => {
        bridge.fatal('over');
      },
      event: { level: 'error', msg: 'over' },
    },
    {
      call: (bridge: NestLogBridge) => {
        bridge.warn('careful', { a: 1 });
      },
      event: { level: 'warn', details: [{ a: 1 }] },
    },
    {
      call: (bridge: NestLogBridge) => {
        bridge.debug({ a: 1 }, 'Context');
      },
      event: { level: 'debug', message: { a: 1 }, context: 'Context' },
    },
    {
      call: (bridge: NestLogBridge) => {
        bridge.verbose('much');
      },
      event: { level: 'debug', msg: 'much' },
    },
  ])('forwards $event', ({ call, event }) => {
    const { logger, events } = capture('json');
    call(new NestLogBridge(new PinoLog(logger)));
    expect(events()).toEqual([expect.objectContaining(event)]);
  });
});
