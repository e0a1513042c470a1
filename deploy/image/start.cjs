'use strict';
/*
 * Starts the server of the container image: one file, with the code that V8 made of it while the image was built.
 * V8 takes such code only from its own version and flags, and compiles the file itself where they differ.
 */
const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

const file = join(__dirname, 'server.js');
const code = join(__dirname, 'server.v8');

/** @returns the script, for what keeps V8's code of it. */
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
