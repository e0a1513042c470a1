import { OidcEngineService } from '../../../src/oauth/server/engine/oidc-engine.service';
import { InvalidationListener, KeyValueCache, MemoryCache, NoInvalidations } from '../../../src/platform/cache';
import { DatabaseClock } from '../../../src/platform/database';
import { Scheduler } from '../../../src/platform/jobs';
import { FakeProviders } from '../oauth/fake-providers';
import { areKept } from './kept-services';
import { rememberRows, restoreRows } from './remembered-rows';
import { TestService, TestServiceOptions } from './test-service';

/** A service that can be put back into the state after its start. */
export class SharedService {
  private constructor(
    readonly service: TestService,
    readonly options: TestServiceOptions,
    /** Of all caches of the service. */
    private readonly caches: readonly InvalidationListener[],
  ) {}

  static async start(options: TestServiceOptions): Promise<SharedService> {
    const caches: InvalidationListener[] = [];
    const subscribe = jest
      .spyOn(NoInvalidations.prototype, 'subscribe')
      .mockImplementation((_topic?: string, listener?: InvalidationListener) => {
        if (listener) caches.push(listener);
      });
    try {
      const service = await TestService.start(options);
      // Its keys are made at the first use, which only the first file would have.
      await service.app.get(OidcEngineService, { strict: false }).current();
      if (areKept()) await rememberRows(service.database);
      return new SharedService(service, options, caches);
    } finally {
      subscribe.mockRestore();
    }
  }

  /** Puts back the rows, the clock, the caches, the counters, the login providers and the log. */
  async reset(): Promise<void> {
    const { app, database, logLines } = this.service;
    await app.get(Scheduler).idle();
    await restoreRows(database);
    const [row] = await database.query<{ now: Date }>('SELECT now()');
    app.get(DatabaseClock, { strict: false }).observe(row!.now);
    const cache = app.get<MemoryCache>(KeyValueCache);
    cache.clearValues();
    await cache.delete(...cache.counterKeys());
    for (const listener of this.caches) listener.invalidateAll();
    FakeProviders.removeFrom(this.service);
    logLines.length = 0;
  }
}
