import type { EmbeddedResult, Statement } from './statement';

/** The queued session, which runs one statement at a time. */
export interface Session {
  execute(statement: Statement): Promise<EmbeddedResult>;
  isInTransaction(): boolean;
}

export interface LeaseLimits {
  /** Milliseconds that a caller waits for the session before `EmbeddedBusyError`. */
  readonly waitMs: number;
  /** Callers that may wait at the same time; the next one is rejected at once. */
  readonly maxWaiting: number;
}

export const DEFAULT_LEASE_LIMITS: LeaseLimits = { waitMs: 5_000, maxWaiting: 10_000 };

/** The session was not free in time, usually because a transaction awaits a query that was sent outside of it. */
export class EmbeddedBusyError extends Error {
  readonly code = 'EMBEDDED_BUSY';

  constructor(reason: string) {
    super(
      'The embedded database has one session; a query outside the running transaction waits for it. ' +
        `${reason} Send the query through the transaction's own entity manager, or keep transactions short.`,
    );
    this.name = 'EmbeddedBusyError';
  }
}

interface Waiter {
  grant(lease: SessionLease): void;
  reject(error: Error): void;
}

/** Exclusive use of the session until `release()`. */
export class SessionLease {
  private readonly since = performance.now();
  private released = false;
  private running: Promise<unknown> | undefined;
  private afterRelease: (() => void) | undefined;

  constructor(
    private readonly session: Session,
    private readonly handOn: (running: Promise<unknown> | undefined) => void,
  ) {}

  get heldMs(): number {
    return Math.round(performance.now() - this.since);
  }

  /** Rejects after `release()`: another caller may use the session by then. */
  query(statement: Statement): Promise<EmbeddedResult> {
    if (this.released) return Promise.reject(new Error('This connection was released; connect again.'));
    const result = this.session.execute(statement);
    const settled: Promise<unknown> = result
      .catch(() => undefined)
      .then(() => {
        if (this.running === settled) this.running = undefined;
      });
    this.running = settled;
    return result;
  }

  /** Idempotent. Awaits a running statement and rolls back an open transaction before the next lease. */
  release(): void {
    if (this.released) return;
    this.released = true;
    this.afterRelease?.();
    this.handOn(this.running);
  }

  /** Calls the listener once, on release. */
  onRelease(listener: () => void): void {
    this.afterRelease = listener;
  }
}

/** Leases the session to one caller at a time, first come, first served. */
export class SessionQueue {
  private readonly waiters = new Set<Waiter>();
  private readonly onIdle = new Set<() => void>();
  private holder: SessionLease | undefined;
  private closedBecause: Error | undefined;

  constructor(private readonly session: Session) {}

  get waiting(): number {
    return this.waiters.size;
  }

  get busy(): boolean {
    return this.holder !== undefined;
  }

  /** Errors: `EmbeddedBusyError` past a limit; the reason of `close` once closed. */
  async acquire(limits: LeaseLimits): Promise<SessionLease> {
    if (this.closedBecause) throw this.closedBecause;
    if (!this.holder) return this.grant();
    if (this.waiters.size >= limits.maxWaiting) {
      throw new EmbeddedBusyError(`${this.waiters.size} callers wait already.`);
    }
    return this.enqueue(limits.waitMs);
  }

  /** Rejects waiting and new callers. Resolves when the session is free, or after `graceMs`. */
  async close(reason: Error, graceMs: number): Promise<void> {
    this.rejectAll(reason);
    if (!this.holder) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      this.onIdle.add(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  private enqueue(waitMs: number): Promise<SessionLease> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiters.delete(waiter);
        reject(new EmbeddedBusyError(`This one gave up after ${waitMs} ms, ${this.holderAge()}`));
      }, waitMs);
      const waiter: Waiter = {
        grant: (lease) => {
          clearTimeout(timer);
          resolve(lease);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      this.waiters.add(waiter);
    });
  }

  private holderAge(): string {
    return this.holder
      ? `the session's holder has had it for ${this.holder.heldMs} ms.`
      : 'the session is being freed.';
  }

  private grant(): SessionLease {
    this.holder = new SessionLease(this.session, (running) => {
      this.handOn(running);
    });
    return this.holder;
  }

  private handOn(running: Promise<unknown> | undefined): void {
    if (running || this.session.isInTransaction()) {
      void this.cleanUp(running).then(() => {
        this.next();
      });
      return;
    }
    this.next();
  }

  private async cleanUp(running: Promise<unknown> | undefined): Promise<void> {
    await running;
    try {
      if (this.session.isInTransaction()) await this.session.execute({ text: 'ROLLBACK' });
    } catch (cause) {
      // A session that may still be in a transaction would mix the work of two callers.
      this.rejectAll(new Error('The embedded database could not be rolled back; restart the server.', { cause }));
    }
  }

  private next(): void {
    this.holder = undefined;
    const [waiter] = this.waiters;
    if (waiter) {
      this.waiters.delete(waiter);
      waiter.grant(this.grant());
      return;
    }
    for (const notify of this.onIdle) notify();
    this.onIdle.clear();
  }

  private rejectAll(error: Error): void {
    this.closedBecause ??= error;
    for (const waiter of this.waiters) waiter.reject(error);
    this.waiters.clear();
  }
}
