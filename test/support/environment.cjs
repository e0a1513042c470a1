const asyncHooks = require('node:async_hooks');
const { readFileSync } = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/**
 * Jest compiles every module anew for every test file. What V8 made of a source is kept here instead, so that a worker
 * reads each but once. Sources that import dynamically are left out: V8 looks up who imports by the compiled function.
 */
const compile = vm.compileFunction;
const compiled = new Map();
const importsDynamically = /\bimport\s*\(/;

vm.compileFunction = (source, parameters, options) => {
  const known = compiled.get(options.filename);
  if (known?.source === source) return compile(source, parameters, { ...options, cachedData: known.cachedData });
  if (importsDynamically.test(source)) return compile(source, parameters, options);
  const made = compile(source, parameters, { ...options, produceCachedData: true });
  compiled.set(options.filename, { source, cachedData: made.cachedData });
  return made;
};

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

asyncHooks.AsyncLocalStorage = class extends asyncHooks.AsyncLocalStorage {
  constructor(...options) {
    super(...options);
    storages.add(this);
  }
};

module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    if (!program && process.env['TEST_DATABASE_URL'] === undefined) holdEmbeddedDatabase();
  }

  async teardown() {
    for (const storage of storages) storage.disable();
    storages.clear();
    await super.teardown();
  }
};
