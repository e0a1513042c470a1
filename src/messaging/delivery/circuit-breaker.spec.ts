import { CircuitBreaker } from './circuit-breaker';
import { SendResult, UNREACHABLE } from './send-result';

const unreachable: SendResult = { outcome: 'rejected', provider: 'p', providerCode: UNREACHABLE };
const unknown: SendResult = { outcome: 'unknown', provider: 'p', providerCode: 'timeout' };
const rejected: SendResult = { outcome: 'rejected', provider: 'p', providerCode: '550' };
const accepted: SendResult = { outcome: 'accepted', provider: 'p' };

function bench() {
  const clock = { now: 0 };
  const breaker = new CircuitBreaker('p', () => clock.now);
  let asked = 0;
  const run = async (result: SendResult): Promise<SendResult> =>
    breaker.run(async () => {
      asked++;
      return result;
    });
  return { breaker, clock, run, asked: () => asked };
}

describe('CircuitBreaker', () => {
  it.each([unreachable, unknown])('stops calling the provider after five consecutive failures: %j', async (failure) => {
    const { run, asked } = bench();
    for (let count = 0; count < 5; count++) expect(await run(failure)).toBe(failure);
    expect(await run(accepted)).toEqual({ outcome: 'rejected', provider: 'p', providerCode: 'circuit_open' });
    expect(asked()).toBe(5);
  });

  it.each([rejected, accepted])('resets the failure count on any definite response: %j', async (answer) => {
    const { run, asked } = bench();
    for (let count = 0; count < 4; count++) await run(unknown);
    await run(answer);
    for (let count = 0; count < 4; count++) await run(unknown);
    expect(await run(accepted)).toBe(accepted);
    expect(asked()).toBe(10);
  });

  it('probes with one message after 30 seconds and closes after a success', async () => {
    const { breaker, clock, run } = bench();
    for (let count = 0; count < 5; count++) await run(unknown);
    clock.now = 29_999;
    expect((await run(accepted)).providerCode).toBe('circuit_open');
    clock.now = 30_000;
    let answer: (result: SendResult) => void = () => undefined;
    const probe = breaker.run(() => new Promise((resolve) => (answer = resolve)));
    expect((await run(accepted)).providerCode).toBe('circuit_open');
    answer(unknown);
    await probe;
    expect((await run(accepted)).providerCode).toBe('circuit_open');
    clock.now = 60_000;
    expect(await run(accepted)).toBe(accepted);
    expect(await run(accepted)).toBe(accepted);
  });
});
