import type { Browser, BrowserContext, Page } from 'playwright-core';
import { listen } from '../support/service/raw-http';
import { freePort } from '../support/servers/redis-server';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';
import { BrowserOptions, launchBrowser, openContext } from './browser';
import { freeNamesForSecondTries } from './free-names';

/** A running service for all tests of a file. Read its members in tests and hooks only. */
export interface Served {
  readonly service: TestService;
  readonly address: string;
}

/** A browser context with a page. Read its members in tests and hooks only. */
export interface Seen {
  readonly context: BrowserContext;
  readonly page: Page;
}

/** Hooks assign the value, so it is undefined while the file loads. */
function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('Available in tests and hooks only');
  return value;
}

/** The members of what hooks find. */
const servedBy = (found: () => Partial<Served>): Served => ({
  get service() {
    return present(found().service);
  },
  get address() {
    return present(found().address);
  },
});

/** A service on a free port for all tests, which the files of a suite share. */
export function serveForAll(): Served {
  let served: Partial<Served> = {};
  withService(async (service) => {
    served = { service, address: `http://127.0.0.1:${await listen(service.app)}` };
  });
  freeNamesForSecondTries(() => present(served.service));
  return servedBy(() => served);
}

/** A service on a port that is chosen first, because the issuer contains it. */
export function serveIssuerForAll(): Served {
  let served: Partial<Served> = {};
  beforeAll(async () => {
    const port = await freePort();
    const service = await TestService.start({ environment: { PORT: String(port) } });
    served = { service };
    await service.app.listen(port, '127.0.0.1');
    served = { service, address: await service.app.getUrl() };
  });
  afterAll(() => served.service?.stop());
  return servedBy(() => served);
}

/** One browser for the specs of a file. Its contexts share nothing with each other. */
let launched: Promise<Browser> | undefined;
const sharedBrowser = (): Promise<Browser> => (launched ??= launchBrowser());

// A suite imports this file first, so that the hook is the suite's and not that of one spec.
afterAll(async () => (await launched)?.close());

/** A context that a test opens and closes itself. */
export interface Viewer {
  readonly context: BrowserContext;
  close(): Promise<void>;
}

export async function openViewer(width: number, options?: BrowserOptions): Promise<Viewer> {
  const context = await openContext(await sharedBrowser(), width, options);
  return { context, close: () => context.close() };
}

function pageBetween(
  before: typeof beforeAll,
  after: typeof afterAll,
  width: number,
  options: BrowserOptions | undefined,
): Seen {
  let context: BrowserContext | undefined;
  let page: Page | undefined;
  before(async () => {
    context = await openContext(await sharedBrowser(), width, { locale: 'en-GB', ...options });
    page = await context.newPage();
  });
  after(() => context?.close());
  return {
    get context() {
      return present(context);
    },
    get page() {
      return present(page);
    },
  };
}

/** One page for all tests, in English by default. */
export const pageForAll = (width: number, options?: BrowserOptions): Seen =>
  pageBetween(beforeAll, afterAll, width, options);

/** A new context and page for each test, in English by default. */
export const pageForEach = (width: number, options?: BrowserOptions): Seen =>
  pageBetween(beforeEach, afterEach, width, options);
