import { Transactions } from '../../platform/database';
import { Log } from '../../platform/logging';
import { DeletionRequestRepository } from '../../users';
import { RequestedDeletionsService } from './requested-deletions.service';
import { fake } from '../../../test/support/service/fake';

const due = ['one', 'two', 'three'].map((id) => ({ id, dueAt: new Date(0) }));

describe('RequestedDeletionsService', () => {
  const warn = jest.fn();
  const run = jest.fn();
  const unused = undefined as never;
  const requests: Partial<DeletionRequestRepository> = { findDue: () => Promise.resolve(due) };
  const service = new RequestedDeletionsService(
    requests as DeletionRequestRepository,
    unused,
    unused,
    unused,
    unused,
    unused,
    fake<Transactions>({ run }),
    fake<Log>({ warn }),
  );
  const failure = (code: string): Error => Object.assign(new Error('failed'), { code });

  beforeEach(() => {
    warn.mockClear();
    run.mockReset();
  });

  it('goes on after an account that is locked', async () => {
    run.mockRejectedValueOnce(failure('55P03'));
    await service.deleteDue(new AbortController().signal);
    expect([run.mock.calls.length, warn.mock.calls.length]).toEqual([3, 1]);
  });

  it('fails once if the database is away, instead of once for each account', async () => {
    run.mockRejectedValue(failure('ECONNREFUSED'));
    await expect(service.deleteDue(new AbortController().signal)).rejects.toThrow('failed');
    expect([run.mock.calls.length, warn.mock.calls.length]).toEqual([1, 0]);
  });

  it('stops between accounts', async () => {
    const stopping = new AbortController();
    run.mockImplementation(async () => {
      stopping.abort();
    });
    await service.deleteDue(stopping.signal);
    expect(run).toHaveBeenCalledTimes(1);
  });
});
