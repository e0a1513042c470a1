import { leave, takeIdle } from './kept-services';
import { collectActs } from '../documents/recorded-acts';
import { SharedService } from './shared-service';
import { TestService, TestServiceOptions } from './test-service';

export type Prepare = (service: TestService) => Promise<void> | void;

const DEFAULTS: TestServiceOptions = {};

async function take(options: TestServiceOptions): Promise<SharedService> {
  const idle = takeIdle(options);
  if (!idle) return SharedService.start(options);
  await idle.reset();
  return idle;
}

/**
 * A service for the tests of the file or of the `describe`. Those of a suite get the same one after another, each in the
 * state after its start. Tests that change what only a start sets up, such as the schema or the process's parts, start
 * another `TestService`.
 * @param options shared by those that pass this same object. Default: no options.
 */
export function withService(prepare: Prepare, options = DEFAULTS): void {
  let shared: SharedService | undefined;

  beforeAll(async () => {
    shared = await take(options);
    await prepare(shared.service);
  });

  afterAll(async () => {
    if (!shared) return;
    await collectActs(shared.service.database);
    await leave(shared);
  });
}

/** As `withService`, but each test gets the service in the state after its start. */
export function withServicePerTest(prepare: Prepare, options = DEFAULTS): void {
  let shared: SharedService | undefined;

  beforeEach(async () => {
    shared = await take(options);
    await prepare(shared.service);
  });

  afterEach(async () => {
    const left = shared;
    // A test whose set-up fails has none.
    shared = undefined;
    if (!left) return;
    await collectActs(left.service.database);
    await leave(left);
  });
}
