import type { DataSource } from 'typeorm';
import { StartRefusedError } from '../config';
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

  it('says whom it waited for in vain, and what to do', async () => {
    const work = jest.fn();
    const query = async (sql: string): Promise<void> => {
      if (sql.includes('pg_advisory_lock')) throw Object.assign(new Error('lock timeout'), { code: '55P03' });
    };
    const release = jest.fn();
    const source = { createQueryRunner: () => ({ connect: jest.fn(), query, release }) } as unknown as DataSource;
    const refusal = await withStartupLock(source, work).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StartRefusedError);
    expect((refusal as Error).message).toBe(
      'Another instance has been preparing the database for more than 60 s. Start again when it is ready; what it does stands in pg_stat_activity under castellan-migration.',
    );
    expect(work).not.toHaveBeenCalled();
    expect(release).toHaveBeenCalledTimes(1);
  });
});
