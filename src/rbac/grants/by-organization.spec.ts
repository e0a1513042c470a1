import { ByOrganization } from './by-organization';

const A = '0b6a7a3e-6f0c-4f5c-9a3d-000000000001';

describe('ByOrganization', () => {
  it('loads once for requests at the same time, and afterwards', async () => {
    const known = new ByOrganization<number>();
    const load = jest.fn(() => Promise.resolve(1));
    const both = await Promise.all([known.get(A, load), known.get(A, load)]);
    expect(both).toEqual([1, 1]);
    expect(known.get(A, load)).toBe(1);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('keeps what holds everywhere apart', async () => {
    const known = new ByOrganization<string>();
    await known.get(A, () => Promise.resolve('there'));
    expect(await known.get(undefined, () => Promise.resolve('everywhere'))).toBe('everywhere');
    expect(known.get(A, () => Promise.resolve('again'))).toBe('there');
  });

  it('loads again after a failure', async () => {
    const known = new ByOrganization<number>();
    await expect(known.get(A, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await known.get(A, () => Promise.resolve(2))).toBe(2);
  });

  it('forgets when requests name many organizations', async () => {
    const known = new ByOrganization<number>();
    await known.get(A, () => Promise.resolve(1));
    for (let index = 0; index < 100; index++) await known.get(String(index), () => Promise.resolve(index));
    expect(await known.get(A, () => Promise.resolve(2))).toBe(2);
  });
});
