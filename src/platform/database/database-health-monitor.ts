import type { OnApplicationShutdown } from '@nestjs/common';
import { performance } from 'node:perf_hooks';
import { isConnectionLost, isDatabaseBusy } from './database-errors';

const RETRY_MS = 500;
/** As long as all connections stay busy, that is said so often. */
const BUSY_MS = 10_000;
/** And so often it is found out anew: they may be held up by a database that has gone since. */
const BUSY_RETRY_MS = 1_000;

export interface DatabaseHealthListener {
  /** Connections broke, and the database answers all the same. */
  readonly onLoss: (error: unknown) => void;
  /** Somebody waited in vain for a connection, and the database answers all the same. */
  readonly onBusy: (error: unknown) => void;
  readonly onAway: (error: unknown) => void;
  /** @param seconds since it was found away */
  readonly onBack: (seconds: number) => void;
}

/** Whether the database can be reached: found out from those who failed, said once each way however many they are. */
export class DatabaseHealthMonitor implements OnApplicationShutdown {
  private ping: (() => Promise<void>) | undefined;
  private isAsking = false;
  private foundBusyAt = -Infinity;
  private toldBusyAt = -Infinity;
  private awaySince: number | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly news: DatabaseHealthListener,
    /** A monotonic clock in milliseconds. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @param ping fails when the database does not answer */
  begin(ping: () => Promise<void>): void {
    this.ping = ping;
  }

  /** Answers whether the failure is one of reaching the database, which the watch then tells of in its own words. */
  takes(error: unknown): boolean {
    if (!isConnectionLost(error) && !isDatabaseBusy(error)) return false;
    this.suspect(error);
    return true;
  }

  /** Somebody could not reach the database. */
  suspect(error: unknown): void {
    if (this.isClosed || !this.ping || this.isAsking || this.awaySince !== undefined || this.isKnown(error)) return;
    this.isAsking = true;
    void this.ask().then((failure) => {
      this.isAsking = false;
      if (this.isClosed) return;
      if (failure === undefined) this.present(error);
      else this.away(failure);
    });
  }

  private isKnown(error: unknown): boolean {
    return isDatabaseBusy(error) && this.now() - this.foundBusyAt < BUSY_RETRY_MS;
  }

  private present(error: unknown): void {
    if (!isDatabaseBusy(error)) {
      this.news.onLoss(error);
      return;
    }
    this.foundBusyAt = this.now();
    if (this.foundBusyAt - this.toldBusyAt < BUSY_MS) return;
    this.toldBusyAt = this.foundBusyAt;
    this.news.onBusy(error);
  }

  onApplicationShutdown(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  private away(error: unknown): void {
    this.awaySince = this.now();
    this.news.onAway(error);
    this.askLater();
  }

  private askLater(): void {
    this.timer = setTimeout(() => {
      void this.ask().then((failure) => {
        if (this.isClosed) return;
        if (failure === undefined) this.back();
        else this.askLater();
      });
    }, RETRY_MS).unref();
  }

  private back(): void {
    const seconds = (this.now() - (this.awaySince ?? 0)) / 1_000;
    this.awaySince = undefined;
    this.news.onBack(seconds);
  }

  /** The failure, if there is one. */
  private async ask(): Promise<unknown> {
    try {
      await this.ping?.();
      return undefined;
    } catch (error) {
      return error;
    }
  }
}
