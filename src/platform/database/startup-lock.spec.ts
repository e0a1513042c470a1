import type { DataSource } from 'typeorm';
import { withStartupLock } from './startup-lock';

describe('withStartupLock', () => {
  it('tells why the work failed, also where the lock cannot be given back', async () => {
    const release = jest.fn();
    const query = async (sql: string): Promise<void> => {
      if (sql.includes('unlock')) throw new Error('connection terminated');
    };
    const source = { createQueryRunner: () => ({ connect: jest.fn(), query, release }) } as unknown as DataSource;
    const failure = new Error('no such column');
    await expect(withStartupLock(source, () => Promise.reject(failure))).rejects.toBe(failure);
    expect(release).toHaveBeenCalledTimes(1);
  });
});
