const asyncHooks = require('node:async_hooks');
const { Buffer } = require('node:buffer');
const { readFileSync } = require('node:fs');
const path = require('node:path');
const perfHooks = require('node:perf_hooks');
const v8 = require('node:v8');
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/** In newer versions of Node some of what a module offers is read through a getter. */
const replace = (module, name, value) => Object.defineProperty(module, name, { value, configurable: true });

/**
 * Jest compiles every module anew for every test file. What V8 made of a source is kept here instead, so that a worker
 * reads each but once. Sources that import dynamically are left out: V8 looks up who imports by the compiled function.
 */
const compile = vm.compileFunction;
const compiled = new Map();
const importsDynamically = /\bimport\s*\(/;

replace(vm, 'compileFunction', (source, parameters, options) => {
  const known = compiled.get(options.filename);
  if (known?.source === source) return compile(source, parameters, { ...options, cachedData: known.cachedData });
  if (importsDynamically.test(source)) return compile(source, parameters, options);
  const made = compile(source, parameters, { ...options, produceCachedData: true });
  // A copy of its own: V8 makes these bytes in the realm of the test file, which would stay in memory with them.
  compiled.set(options.filename, { source, cachedData: Buffer.from(made.cachedData) });
  return made;
});

/**
 * As long as somebody holds the compiled program of the embedded database, V8 compiles the same bytes no second time; and
 * what it learns of its hot parts in one test file it knows in the next.
 */
let program;

function holdEmbeddedDatabase() {
  const folder = path.dirname(require.resolve('@electric-sql/pglite'));
  program = WebAssembly.compile(readFileSync(path.join(folder, 'pglite.wasm')));
}

/**
 * Node keeps every storage that was ever entered, and hands each of them on with each promise. Those of a test file that
 * has ended would be a burden on all files after it, so they end with it.
 */
const storages = new Set();

class EndedStorage extends asyncHooks.AsyncLocalStorage {
  constructor(...options) {
    super(...options);
    storages.add(this);
  }
}
replace(asyncHooks, 'AsyncLocalStorage', EndedStorage);

/**
 * Watches of the process hold in memory the whole test file that began them: 30 MB each, with which a worker's later files
 * took three times as long as its first. One that cannot be ended, of the event loop, is one for all; the others end.
 */
const watch = perfHooks.monitorEventLoopDelay();
replace(perfHooks, 'monitorEventLoopDelay', () => watch);

const observers = new Set();

class EndedObserver extends perfHooks.PerformanceObserver {
  constructor(callback) {
    super(callback);
    observers.add(this);
  }
}
replace(perfHooks, 'PerformanceObserver', EndedObserver);

/**
 * The embedded database's memory makes V8 collect several times in a test file, each time through all that is there; but it
 * lets go of the realms of ended files only when told to. Grown over files, that was two thirds of a file's time.
 */
v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc');
v8.setFlagsFromString('--no-expose-gc');

module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    if (!program && process.env['TEST_DATABASE_URL'] === undefined) holdEmbeddedDatabase();
  }

  async teardown() {
    for (const storage of storages) storage.disable();
    storages.clear();
    for (const observer of observers) observer.disconnect();
    observers.clear();
    // TypeORM's entities, which it keeps with the process.
    delete globalThis.typeormMetadataArgsStorage;
    await super.teardown();
    collect();
  }
};
