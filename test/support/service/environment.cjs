const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/**
 * Jest's environment for Node with an ordinary global object. Jest's own is a proxy, through which V8 reads each `Promise`
 * or `Object` four hundred times slower.
 */
module.exports = class extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    const { DONT_CONTEXTIFY } = vm.constants ?? {};
    if (DONT_CONTEXTIFY === undefined) return;
    const proxied = this.global;
    this.context = vm.createContext(DONT_CONTEXTIFY);
    this.global = vm.runInContext('this', this.context);
    adopt(this.global, proxied);
    this.moduleMocker = new this.moduleMocker.constructor(this.global);
    const options = { config: config.projectConfig, global: this.global, moduleMocker: this.moduleMocker };
    this.fakeTimersModern = new this.fakeTimersModern.constructor(options);
  }
};

/** Takes over what Jest adds to the globals of the language. */
function adopt(global, proxied) {
  const shared = ['ArrayBuffer', 'Uint8Array'];
  for (const key of Reflect.ownKeys(proxied)) {
    if (key in global && !shared.includes(key)) continue;
    Object.defineProperty(global, key, Reflect.getOwnPropertyDescriptor(proxied, key));
  }
  global.global = global;
  global.Error.stackTraceLimit = 100;
}
