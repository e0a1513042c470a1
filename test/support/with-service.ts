import { leave, takeIdle } from './kept-services';
import { SharedService } from './shared-service';
import { TestService } from './test-service';

async function take(): Promise<SharedService> {
  const idle = takeIdle();
  if (!idle) return SharedService.start();
  await idle.reset();
  return idle;
}

/**
 * A service with default options for the tests of the file or of the `describe`. Those of a suite get the same one after
 * another, each in the state after its start. Tests that change what only a start sets up, such as the schema or the
 * process's parts, start another `TestService`.
 */
export function withService(prepare: (service: TestService) => Promise<void> | void): void {
  let shared: SharedService | undefined;

  beforeAll(async () => {
    shared = await take();
    await prepare(shared.service);
  });

  afterAll(async () => {
    if (shared) await leave(shared);
  });
}

/** As `withService`, but each test gets the service in the state after its start. */
export function withServicePerTest(prepare: (service: TestService) => Promise<void> | void): void {
  let shared: SharedService | undefined;

  beforeEach(async () => {
    shared = await take();
    await prepare(shared.service);
  });

  afterEach(async () => {
    const left = shared;
    // A test whose set-up fails has none.
    shared = undefined;
    if (left) await leave(left);
  });
}
