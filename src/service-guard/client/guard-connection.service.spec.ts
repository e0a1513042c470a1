import { Logger } from '@nestjs/common';
import { platformErrors } from '../../platform/errors';
import { CastellanClientService } from './castellan-client.service';
import { ChangeStreamService } from './change-stream.service';
import { GuardConnectionService } from './guard-connection.service';
import { GuardedRoutesService } from './guarded-routes.service';
import { fake } from '../../../test/support/service/fake';

describe('GuardConnectionService', () => {
  let isAway: boolean;
  let warned: jest.SpyInstance;
  let said: jest.SpyInstance;

  const connect = (): GuardConnectionService =>
    new GuardConnectionService(
      fake<CastellanClientService>({
        call: async () => {
          if (isAway) throw platformErrors.unavailable({ retryAfterSeconds: 2 });
          return { scope: 'billing', access_cookie: 'iam_access', added: [] };
        },
      }),
      fake<GuardedRoutesService>({ permissions: [] }),
      fake<ChangeStreamService>({ follow: () => undefined }),
      { url: 'https://id.example.com', clientId: 'a', clientSecret: 'b' },
    );

  beforeEach(() => {
    jest.useFakeTimers();
    isAway = true;
    warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    said = jest.spyOn(Logger.prototype, 'log').mockReturnValue(undefined);
  });

  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('warns once, then at growing intervals, and logs once when Castellan is back', async () => {
    const service = connect();
    await service.onApplicationBootstrap();
    const warnedAfter: number[] = [];
    for (let seconds = 1; seconds <= 300; seconds++) {
      const before = warned.mock.calls.length;
      await jest.advanceTimersByTimeAsync(1_000);
      if (warned.mock.calls.length > before) warnedAfter.push(seconds);
    }
    expect(warnedAfter).toEqual([10, 30, 70, 150]);
    expect(said).not.toHaveBeenCalled();
    isAway = false;
    await jest.advanceTimersByTimeAsync(3_000);
    expect(said.mock.calls).toEqual([['Registered at https://id.example.com as billing; new permissions: 0']]);
    expect(service.accessCookie()).toBe('iam_access');
    service.beforeApplicationShutdown();
  });
});
