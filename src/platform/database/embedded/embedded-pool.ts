import { EventEmitter } from 'node:events';
import type { EmbeddedDatabase } from './embedded-database';
import type { EmbeddedResult, Statement } from './statement';
import { DEFAULT_LEASE_LIMITS, LeaseLimits, SessionLease } from './session-queue';

type QueryCallback = (error: Error | null, result?: EmbeddedResult) => void;
type ConnectCallback = (error: Error | undefined, client?: EmbeddedClient, release?: (error?: unknown) => void) => void;
type EndCallback = (error?: Error) => void;

/** A promise, or undefined if the caller passed a callback. */
type Answer<T> = Promise<T> | undefined;

/** The second argument of `query`: values or the callback. */
type ValuesOrCallback = readonly unknown[] | QueryCallback;

/** The part of `pg.Client` that TypeORM uses, on one lease of the session. */
export class EmbeddedClient extends EventEmitter {
  constructor(private readonly lease: SessionLease) {
    super();
  }

  query(statement: string | Statement, values?: readonly unknown[]): Promise<EmbeddedResult>;
  query(statement: string | Statement, callback: QueryCallback): undefined;
  query(statement: string | Statement, values: readonly unknown[], callback: QueryCallback): undefined;
  query(statement: string | Statement, second?: ValuesOrCallback, third?: QueryCallback): Answer<EmbeddedResult> {
    const result = runOn(this.lease, statement, valuesOf(second));
    return answer(result, callbackOf(second, third));
  }

  /** Idempotent. Releases the session and rolls back an open transaction. Ignores the error argument. */
  release(_error?: unknown): void {
    this.lease.release();
  }
}

/** The part of `pg.Pool` that TypeORM uses. Ending the pool does not close the database. */
export class EmbeddedPool extends EventEmitter {
  private readonly leases = new Set<SessionLease>();
  private ended = false;
  private allReleased: (() => void) | undefined;

  constructor(
    private readonly database: EmbeddedDatabase,
    private readonly limits: LeaseLimits,
  ) {
    super();
  }

  get totalCount(): number {
    return 1;
  }

  get idleCount(): number {
    return this.database.busy ? 0 : 1;
  }

  get waitingCount(): number {
    return this.database.waiting;
  }

  connect(): Promise<EmbeddedClient>;
  connect(callback: ConnectCallback): undefined;
  connect(callback?: ConnectCallback): Answer<EmbeddedClient> {
    const client = this.checkOut();
    if (!callback) return client;
    client.then(
      (connected) => {
        callback(undefined, connected, connected.release.bind(connected));
      },
      (error: unknown) => {
        callback(error as Error);
      },
    );
    return undefined;
  }

  query(statement: string | Statement, values?: readonly unknown[]): Promise<EmbeddedResult>;
  query(statement: string | Statement, callback: QueryCallback): undefined;
  query(statement: string | Statement, values: readonly unknown[], callback: QueryCallback): undefined;
  query(statement: string | Statement, second?: ValuesOrCallback, third?: QueryCallback): Answer<EmbeddedResult> {
    return answer(this.queryOnce(statement, valuesOf(second)), callbackOf(second, third));
  }

  /**
   * Rejects new callers and resolves when every connection of this pool is released. As in pg, a second call rejects.
   */
  end(): Promise<void>;
  end(callback: EndCallback): undefined;
  end(callback?: EndCallback): Answer<void> {
    const ending = this.finish();
    if (!callback) return ending;
    ending.then(() => {
      callback();
    }, callback);
    return undefined;
  }

  private async checkOut(): Promise<EmbeddedClient> {
    return new EmbeddedClient(await this.takeLease());
  }

  private async queryOnce(statement: string | Statement, values?: readonly unknown[]): Promise<EmbeddedResult> {
    const lease = await this.takeLease();
    try {
      return await runOn(lease, statement, values);
    } finally {
      lease.release();
    }
  }

  private async takeLease(): Promise<SessionLease> {
    this.rejectWhenEnded();
    const lease = await this.database.lease(this.limits);
    if (this.ended) lease.release();
    this.rejectWhenEnded();
    this.leases.add(lease);
    lease.onRelease(() => {
      this.leases.delete(lease);
      if (this.leases.size === 0) this.allReleased?.();
    });
    return lease;
  }

  private rejectWhenEnded(): void {
    if (this.ended) throw new Error('Cannot use a pool after calling end on the pool');
  }

  private async finish(): Promise<void> {
    if (this.ended) throw new Error('Called end on pool more than once');
    this.ended = true;
    if (this.leases.size === 0) return;
    await new Promise<void>((resolve) => {
      this.allReleased = resolve;
    });
  }
}

/** Creates the `Pool` class for TypeORM's `driver: { Pool }`. All its pools share the one session of the database. */
export function createEmbeddedPool(
  database: EmbeddedDatabase,
  limits: Partial<LeaseLimits> = {},
): new (options?: unknown) => EmbeddedPool {
  return class BoundEmbeddedPool extends EmbeddedPool {
    constructor(_options?: unknown) {
      super(database, { ...DEFAULT_LEASE_LIMITS, ...limits });
    }
  };
}

function valuesOf(second: ValuesOrCallback | undefined): readonly unknown[] | undefined {
  return typeof second === 'function' ? undefined : second;
}

function callbackOf(second: ValuesOrCallback | undefined, third: QueryCallback | undefined): QueryCallback | undefined {
  return typeof second === 'function' ? second : third;
}

async function runOn(
  lease: SessionLease,
  statement: string | Statement,
  values: readonly unknown[] | undefined,
): Promise<EmbeddedResult> {
  if (typeof statement === 'string') return lease.query({ text: statement, values });
  if ('submit' in statement) throw new Error('The embedded database cannot stream results; read them in pages.');
  return lease.query({ ...statement, values: values ?? statement.values });
}

function answer<T>(result: Promise<T>, callback: ((error: Error | null, result?: T) => void) | undefined): Answer<T> {
  if (!callback) return result;
  result.then(
    (value) => {
      callback(null, value);
    },
    (error: unknown) => {
      callback(error as Error);
    },
  );
  return undefined;
}
