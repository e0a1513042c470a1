import { ConfiguredProvider } from '../configured-provider';
import { Lasting, SharedAnswers } from './shared-answers';

const provider = {} as ConfiguredProvider;

describe('SharedAnswers', () => {
  let time = 0;
  let asked = 0;
  let answers: SharedAnswers<string>;

  beforeEach(() => {
    [time, asked] = [0, 0];
    answers = new SharedAnswers(() => time);
  });

  const ask = (): Promise<Lasting<string>> => Promise.resolve({ value: `answer ${++asked}`, milliseconds: 1_000 });
  const fail = (): Promise<never> => Promise.reject(new Error(`failure ${++asked}`));
  const told = (from: ConfiguredProvider = provider): Promise<string> => answers.get(from, ask);

  it('asks once for concurrent callers', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => told()));
    expect(new Set(all)).toEqual(new Set(['answer 1']));
    expect(asked).toBe(1);
  });

  it('asks once again after the answer has expired', async () => {
    await told();
    time = 999;
    expect(await told()).toBe('answer 1');
    time = 1_000;
    expect(await Promise.all([told(), told()])).toEqual(['answer 2', 'answer 2']);
  });

  it('caches a failure for five seconds', async () => {
    const failures = Array.from({ length: 3 }, () => expect(answers.get(provider, fail)).rejects.toThrow('failure 1'));
    await Promise.all(failures);
    time = 4_999;
    await expect(told()).rejects.toThrow('failure 1');
    time = 5_000;
    expect(await told()).toBe('answer 2');
  });

  it('asks again for a changed provider', async () => {
    await told();
    expect(await told({} as ConfiguredProvider)).toBe('answer 2');
  });

  it('asks once after several callers invalidate the same answer', async () => {
    const dead = await told();
    answers.invalidate(provider, dead);
    const fresh = await told();
    answers.invalidate(provider, dead);
    expect([fresh, await told()]).toEqual(['answer 2', 'answer 2']);
  });
});
