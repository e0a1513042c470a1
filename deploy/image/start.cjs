'use strict';
/*
 * Starts the server of the container image: one file, with the V8 code cache that the image build wrote.
 * V8 rejects a cache of another version or other flags, and then compiles the file itself.
 */
const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

const file = join(__dirname, 'server.js');
const code = join(__dirname, 'server.v8');

/** @returns the script, from which `compile.mjs` creates the code cache. */
function start() {
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: file,
    ...(existsSync(code) && { cachedData: readFileSync(code) }),
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, require, module, file, __dirname);
  return script;
}

module.exports = { start };
if (require.main === module) start();
