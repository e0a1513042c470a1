/*
 * The Jest preset for applications that embed the service: `"jest": { "preset": "castellan", "rootDir": "src" }`.
 * TypeScript is compiled by ts-jest, as in the template of `nest new`, or by @swc/jest if only that is installed.
 */
const { join } = require('node:path');

/** Packages that are ES modules, which Jest cannot require, and those that import dynamically, which it cannot without a flag. */
const MODULES = ['castellan/dist', '@electric-sql/pglite', '@noble', '@scure', 'jose', 'oidc-provider'];

function isInstalled(name) {
  try {
    require.resolve(name, { paths: [process.cwd(), __dirname] });
    return true;
  } catch {
    return false;
  }
}

/** The options of @swc/jest that Nest's decorators need. */
const SWC = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
  },
};

module.exports = {
  testEnvironment: 'node',
  // Quiet: Jest would warn of modules that keep something on the global object.
  testEnvironmentOptions: { globalsCleanup: 'off' },
  // The first start compiles Castellan's modules, which takes a busy machine longer than the five seconds of Jest.
  testTimeout: 60_000,
  moduleNameMapper: { '^node:test$': join(__dirname, 'node-test.cjs') },
  moduleFileExtensions: ['js', 'json', 'ts', 'cjs', 'mjs'],
  testRegex: '.*\\.spec\\.ts$',
  transform: {
    '^.+\\.ts$': isInstalled('ts-jest') || !isInstalled('@swc/jest') ? 'ts-jest' : ['@swc/jest', SWC],
    '/node_modules/.+\\.[cm]?js$': join(__dirname, 'transform-modules.cjs'),
  },
  transformIgnorePatterns: [`/node_modules/(?!(?:.*/node_modules/)?(?:${MODULES.join('|')})/)`],
};
