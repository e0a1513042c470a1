import { DEFAULT_LEASE_LIMITS, Session, SessionQueue } from './session-queue';

/** A session whose statements the test ends. */
class FakeSession implements Session {
  readonly texts: string[] = [];
  inTransaction = false;
  pending: (() => void)[] = [];
  rollbackFails = false;

  isInTransaction(): boolean {
    return this.inTransaction;
  }

  async execute({ text }: { text: string }) {
    this.texts.push(text);
    if (text === 'ROLLBACK') this.rollBack();
    else await new Promise<void>((resolve) => this.pending.push(resolve));
    return { rows: [], rowCount: null, command: null, fields: [] };
  }

  private rollBack(): void {
    if (this.rollbackFails) throw new Error('session is broken');
    this.inTransaction = false;
  }
}

describe('SessionQueue', () => {
  let session: FakeSession;
  let queue: SessionQueue;
  const acquire = (limits = {}) => queue.acquire({ ...DEFAULT_LEASE_LIMITS, ...limits });

  beforeEach(() => {
    session = new FakeSession();
    queue = new SessionQueue(session);
  });

  it('serves callers in order', async () => {
    const served: number[] = [];
    const first = await acquire();
    const others = [1, 2, 3].map(async (place) => {
      const lease = await acquire();
      served.push(place);
      lease.release();
    });
    first.release();
    await Promise.all(others);
    expect(served).toEqual([1, 2, 3]);
  });

  it('rolls back an open transaction before the next lease', async () => {
    const first = await acquire();
    session.inTransaction = true;
    const second = acquire();
    first.release();
    await second;
    expect(session.texts).toEqual(['ROLLBACK']);
    expect(session.inTransaction).toBe(false);
  });

  it('awaits a running statement before the next lease', async () => {
    const first = await acquire();
    const running = first.query({ text: 'SELECT 1' });
    let granted = false;
    const second = acquire().then(() => (granted = true));
    first.release();
    await Promise.resolve();
    expect(granted).toBe(false);
    session.pending[0]!();
    await running;
    expect(await second).toBe(true);
  });

  it('rejects a statement on a released lease', async () => {
    const lease = await acquire();
    lease.release();
    await expect(lease.query({ text: 'SELECT 1' })).rejects.toThrow('This connection was released');
    expect(session.texts).toEqual([]);
  });

  it('ignores a second release while another caller has the lease', async () => {
    const first = await acquire();
    first.release();
    await acquire();
    first.release();
    expect(queue.busy).toBe(true);
  });

  it('limits the waiting callers', async () => {
    const first = await acquire();
    const waiting = acquire();
    await expect(acquire({ maxWaiting: 1 })).rejects.toMatchObject({ code: 'EMBEDDED_BUSY' });
    first.release();
    await waiting;
  });

  it('grants no lease after a failed rollback', async () => {
    const first = await acquire();
    session.inTransaction = true;
    session.rollbackFails = true;
    const second = acquire();
    first.release();
    await expect(second).rejects.toThrow('could not be rolled back');
    await expect(acquire()).rejects.toThrow('could not be rolled back');
  });

  it('rejects waiting callers on close and awaits the current lease', async () => {
    const first = await acquire();
    const waiting = expect(acquire()).rejects.toThrow('closed');
    const closing = queue.close(new Error('closed'), 60_000);
    await waiting;
    first.release();
    await closing;
    await expect(acquire()).rejects.toThrow('closed');
  });
});
