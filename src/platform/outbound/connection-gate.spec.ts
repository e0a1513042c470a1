import { ConnectionGate } from './connection-gate';

describe('ConnectionGate', () => {
  const done: (() => void)[] = [];
  const hang = (): Promise<void> =>
    new Promise((resolve) => {
      done.push(resolve);
    });
  const end = async (): Promise<void> => undefined;
  const busy = { reason: 'busy' };

  it('limits parallel calls to 70 and to 20 per host', async () => {
    const gate = new ConnectionGate();
    const running = ['a', 'b', 'e'].flatMap((host) => Array.from({ length: 20 }, () => gate.pass(host, hang)));
    await expect(gate.pass('a', end)).rejects.toMatchObject(busy);
    running.push(...Array.from({ length: 10 }, () => gate.pass('c', hang)));
    await expect(gate.pass('d', end)).rejects.toMatchObject(busy);

    done.shift()?.();
    await running[0];
    await expect(gate.pass('d', () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    running.push(gate.pass('a', hang));
    await expect(gate.pass('d', end)).rejects.toMatchObject(busy);
    for (const finish of done) finish();
    await Promise.all(running);
  });
});
