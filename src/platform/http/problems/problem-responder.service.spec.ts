import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RecordingLog } from '../../../../test/support/service/recording-log';
import { readTexts } from '../../../../test/support/documents/texts';
import { DatabaseHealthMonitor } from '../../database';
import { platformErrors } from '../../errors';
import { TranslatorService } from '../../i18n';
import { MetricsService } from '../../metrics';
import { FailureLogService } from './failure-log.service';
import { ProblemResponderService } from './problem-responder.service';
import { fake } from '../../../../test/support/service/fake';

let translator: TranslatorService;

beforeAll(async () => {
  translator = await readTexts(join(__dirname, '../../../../i18n'));
});

const busyRejections = jest.fn();

function headersOf(error: unknown): Readonly<Record<string, unknown>> {
  const headers: Record<string, unknown> = {};
  const reply = {
    sent: false,
    code: () => reply,
    header(name: string, value: unknown) {
      headers[name] = value;
      return reply;
    },
    send: () => reply,
  };
  const healthMonitor = fake<DatabaseHealthMonitor>({ takes: () => false });
  const metrics = fake<MetricsService>({ countBusyRejection: busyRejections });
  const responder = new ProblemResponderService(
    translator,
    new FailureLogService(new RecordingLog(), healthMonitor, metrics),
  );
  responder.send(error, {} as FastifyRequest, reply as unknown as FastifyReply);
  return headers;
}

describe('Retry-After', () => {
  it.each([
    // The window ends between counting and reading the remaining time.
    { retryAfterSeconds: 0, header: 1 },
    { retryAfterSeconds: 60, header: 60 },
  ])('is $header for $retryAfterSeconds s', ({ retryAfterSeconds, header }) => {
    expect(headersOf(platformErrors.rateLimited({ retryAfterSeconds }))['retry-after']).toBe(header);
  });

  it('is missing for permanent errors', () => {
    expect(headersOf(platformErrors.notFound())).not.toHaveProperty('retry-after');
  });
});

describe('rejection because of an unavailable database', () => {
  it.each([
    ['no connection of the pool is free', new Error('timeout exceeded when trying to connect'), 1],
    ['a pooler has no free connection', Object.assign(new Error('query_wait_timeout'), { code: '08P01' }), 1],
    ['the database is out of reach', new Error('Connection terminated unexpectedly'), 0],
  ])('counts as busy only without a free connection: %s', (_why, error, times) => {
    busyRejections.mockClear();
    expect(headersOf(error)).toHaveProperty('retry-after');
    expect(busyRejections).toHaveBeenCalledTimes(times);
  });
});
