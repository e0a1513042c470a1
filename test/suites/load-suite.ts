import { join } from 'node:path';
import { keepServices } from '../support/service/kept-services';

declare global {
  /** Set by the Jest configuration: the specs of each suite, relative to the root. */
  var SUITES: Record<string, string[]>;
}

/** The longest timeout of any spec. Jest applies the last one set to the whole file. */
const TIMEOUT_MS = 300_000;
/** Restored after each spec: Jest puts back once more what a spy replaced, even a fake timer that is over. */
const timers = { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate };

/** Registers the specs of a suite and restores process state after each. */
export function loadSuite(name: string): void {
  keepServices();
  for (const spec of globalThis.SUITES[name] ?? []) {
    describe(spec, () => {
      const environment = { ...process.env };

      // eslint-disable-next-line @typescript-eslint/no-require-imports -- which specs there are is known at run time
      require(join(__dirname, '../..', spec));

      afterAll(() => {
        jest.useRealTimers();
        jest.restoreAllMocks();
        Object.assign(globalThis, timers);
        for (const name of Object.keys(process.env)) {
          if (!(name in environment)) Reflect.deleteProperty(process.env, name);
        }
        Object.assign(process.env, environment);
      });
    });
  }
  jest.setTimeout(TIMEOUT_MS);
}
