import type { Browser, BrowserContext, Page } from 'playwright-core';
import { freePort } from '../support/redis-server';
import { TestService, TestServiceOptions } from '../support/test-service';
import { BrowserOptions, launchBrowser, openContext } from './browser';

/** A service that listens, for all tests around it; to be read once they run. */
export interface Served {
  readonly service: TestService;
  readonly address: string;
}

/** A viewer with a page; to be read once the tests around it run. */
export interface Seen {
  readonly context: BrowserContext;
  readonly page: Page;
}

/** Given by the hooks of the test runner, which come later than the file is read. */
function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('Not there yet: read it in a test or a hook');
  return value;
}

function serve(start: () => Promise<{ service: TestService; port: number }>): Served {
  let service: TestService | undefined;
  let address: string | undefined;
  beforeAll(async () => {
    const started = await start();
    ({ service } = started);
    await service.app.listen(started.port, '127.0.0.1');
    address = await service.app.getUrl();
  });
  afterAll(() => service?.stop());
  return {
    get service() {
      return present(service);
    },
    get address() {
      return present(address);
    },
  };
}

/** Starts a service on a port of its own before the tests, and stops it after them. */
export const serveForAll = (options?: TestServiceOptions): Served =>
  serve(async () => ({ service: await TestService.start(options), port: 0 }));

/** The same, for applications: its port is known first, as it is in the issuer's name. */
export const serveIssuerForAll = (): Served =>
  serve(async () => {
    const port = await freePort();
    return { service: await TestService.start({ environment: { PORT: String(port) } }), port };
  });

function pageBetween(
  before: typeof beforeAll,
  after: typeof afterAll,
  width: number,
  options: BrowserOptions | undefined,
): Seen {
  let browser: Browser | undefined;
  let context: BrowserContext | undefined;
  let page: Page | undefined;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  before(async () => {
    context = await openContext(present(browser), width, { locale: 'en-GB', ...options });
    page = await context.newPage();
  });
  after(() => context?.close());
  afterAll(() => browser?.close());
  return {
    get context() {
      return present(context);
    },
    get page() {
      return present(page);
    },
  };
}

/** One page for all tests around it, in English unless another language is named. */
export const pageForAll = (width: number, options?: BrowserOptions): Seen =>
  pageBetween(beforeAll, afterAll, width, options);

/** A new viewer with a page for each test around it, in English unless another language is named. */
export const pageForEach = (width: number, options?: BrowserOptions): Seen =>
  pageBetween(beforeEach, afterEach, width, options);
