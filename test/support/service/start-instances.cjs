// Usage: fork with the `dist` of a build. `{ start: environment }` starts an instance, `{ stop: true }` stops it, and
// each gets a reply when done. One process starts many instances in sequence and loads its modules once.
require('reflect-metadata');
const { join } = require('node:path');

const load = (module) => require(join(process.argv[2], module));
const { createStandalone } = load('standalone');
const { createLogger, PinoLog } = load('platform/logging');
const log = new PinoLog(createLogger({ level: 'silent', format: 'json' }));

let app;

async function obey({ start }) {
  if (!start) return app.close();
  app = await createStandalone({ environment: start, log });
  return app.init();
}

process.on('message', (order) => {
  obey(order).then(
    () => process.send({ done: true }),
    (error) => process.send({ failed: String(error) }),
  );
});
process.on(
  'disconnect',
  () =>
    void load('standalone/calm-end.js')
      .calmEnd(1_000)
      .then(() => process.exit()),
);
process.send({ done: true });
