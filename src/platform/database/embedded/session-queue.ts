import type { EmbeddedResult, Statement } from './pglite-session';

/** What the queue guards: a session that runs one statement after the other. */
export interface Session {
  execute(statement: Statement): Promise<EmbeddedResult>;
  isInTransaction(): boolean;
}

export interface LeaseLimits {
  /** Milliseconds a caller waits for the session before `EmbeddedBusyError`. */
  readonly waitMs: number;
  /** Callers that may wait at the same time; the next one is refused at once. */
  readonly maxWaiting: number;
}

export const DEFAULT_LEASE_LIMITS: LeaseLimits = { waitMs: 5_000, maxWaiting: 10_000 };

/** The one session was not free in time, mostly because a transaction waits for a query that was sent around it. */
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
  refuse(error: Error): void;
}

/** The exclusive use of the session, until `release()`. */
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

  /** Rejects after `release()`: the session may be in somebody else's transaction by then. */
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

  /** Counts once. A statement still on its way is awaited and an open transaction rolled back before the next one. */
  release(): void {
    if (this.released) return;
    this.released = true;
    this.afterRelease?.();
    this.handOn(this.running);
  }

  /** Called once, when the lease is given back. */
  onRelease(listener: () => void): void {
    this.afterRelease = listener;
  }
}

/** Hands the one session out, first come, first served. */
export class SessionQueue {
  private readonly waiters = new Set<Waiter>();
  private readonly onIdle = new Set<() => void>();
  private holder: SessionLease | undefined;
  private refusal: Error | undefined;

  constructor(private readonly session: Session) {}

  get waiting(): number {
    return this.waiters.size;
  }

  get busy(): boolean {
    return this.holder !== undefined;
  }

  /** Rejects with `EmbeddedBusyError` past a limit, and at once when the queue is closed. */
  async acquire(limits: LeaseLimits): Promise<SessionLease> {
    if (this.refusal) throw this.refusal;
    if (!this.holder) return this.grant();
    if (this.waiters.size >= limits.maxWaiting) {
      throw new EmbeddedBusyError(`${this.waiters.size} callers wait already.`);
    }
    return this.enqueue(limits.waitMs);
  }

  /** Refuses all who wait and all who come; resolves when the session is free, or after `graceMs`. */
  async close(reason: Error, graceMs: number): Promise<void> {
    this.refuseAll(reason);
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
        refuse: (error) => {
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
      // Handing on a session that may still be in a transaction would mix two callers' work.
      this.refuseAll(new Error('The embedded database could not be rolled back; restart the server.', { cause }));
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
    for (const tell of this.onIdle) tell();
    this.onIdle.clear();
  }

  private refuseAll(error: Error): void {
    this.refusal ??= error;
    for (const waiter of this.waiters) waiter.refuse(error);
    this.waiters.clear();
  }
}
