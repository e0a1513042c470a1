// Preloaded by `node --require`: shifts the wall clock of the process by CLOCK_SKEW_MS, and by CLOCK_JUMP_MS more on
// each SIGUSR2. The monotonic clock is unchanged, as when an operator sets the time.
const { performance } = require('node:perf_hooks');

const TrueDate = Date;
let skewMs = Number(process.env.CLOCK_SKEW_MS);
const now = () => TrueDate.now() + skewMs;

globalThis.Date = new Proxy(TrueDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new TrueDate(now()).toString(),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
});
Object.defineProperty(performance, 'timeOrigin', { value: performance.timeOrigin + skewMs });
process.on('SIGUSR2', () => {
  skewMs += Number(process.env.CLOCK_JUMP_MS);
});
