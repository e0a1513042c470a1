/*
 * Compiles ES modules of packages for Jest, which loads CommonJS only, by the TypeScript of the application. Dynamic imports become
 * calls of require(), because Jest rejects them without a flag of Node.
 */
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');

const IS_MODULE = /(?:^|[;}])\s*(?:import\b(?!\s*\()|export\b)|\bimport\.meta\b/m;
const META_URL = /\bimport\.meta\.url\b/g;
const OWN_URL = "require('node:url').pathToFileURL(__filename).href";
const DYNAMIC = /\bimport\s*\(/g;
/** A declaration at the end: it is hoisted, keeps the lines, and finds the `require` of the file where a function has its own. */
const IMPORT = `
;function __castellanImport(name) {
  return Promise.resolve().then(() => {
    const found = require(name);
    return found.__esModule ? found : Object.assign({}, found, { default: found });
  });
}`;

const self = readFileSync(module.filename);

function typescript() {
  try {
    return require(require.resolve('typescript', { paths: [process.cwd(), __dirname] }));
  } catch {
    throw new Error('The Jest preset of castellan needs the package typescript: npm install --save-dev typescript');
  }
}

function compiled(source) {
  const { transpileModule, ModuleKind, ScriptTarget } = typescript();
  const compilerOptions = {
    module: ModuleKind.CommonJS,
    target: ScriptTarget.ES2022,
    esModuleInterop: true,
    allowJs: true,
    removeComments: true,
  };
  return transpileModule(source.replace(META_URL, OWN_URL), { compilerOptions }).outputText;
}

module.exports = {
  process(source) {
    const isModule = IS_MODULE.test(source);
    const isImporting = source.search(DYNAMIC) >= 0;
    const own = isImporting ? source.replace(DYNAMIC, '__castellanImport(') + IMPORT : source;
    return { code: isModule ? compiled(own) : own };
  },
  getCacheKey(source) {
    return createHash('sha256').update(self).update('\0').update(source).digest('hex').slice(0, 32);
  },
};
