import type { DataSource } from 'typeorm';
import { StartupError } from '../config';
import { withStartupLock } from './startup-lock';
import { fake } from '../../../test/support/service/fake';

describe('withStartupLock', () => {
  it('throws the error of the work even if the unlock fails', async () => {
    const release = jest.fn();
    const query = async (sql: string): Promise<void> => {
      if (sql.includes('unlock')) throw new Error('connection terminated');
    };
    const source = fake<DataSource>({ createQueryRunner: () => ({ connect: jest.fn(), query, release }) });
    const failure = new Error('no such column');
    await expect(withStartupLock(source, () => Promise.reject(failure))).rejects.toBe(failure);
    expect(release).toHaveBeenCalledTimes(1);
  });

  it('explains a timeout of the lock', async () => {
    const work = jest.fn();
    const query = async (sql: string): Promise<void> => {
      if (sql.includes('pg_advisory_lock')) throw Object.assign(new Error('lock timeout'), { code: '55P03' });
    };
    const release = jest.fn();
    const source = fake<DataSource>({ createQueryRunner: () => ({ connect: jest.fn(), query, release }) });
    const error = await withStartupLock(source, work).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(StartupError);
    expect((error as Error).message).toBe(
      'Another instance has been preparing the database for more than 60 s. Start again when it is ready; pg_stat_activity shows its statements under castellan-migration.',
    );
    expect(work).not.toHaveBeenCalled();
    expect(release).toHaveBeenCalledTimes(1);
  });
});
