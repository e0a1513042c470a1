import type { OnApplicationShutdown } from '@nestjs/common';
import { performance } from 'node:perf_hooks';
import { isConnectionLost, isDatabaseBusy } from './database-errors';

const RETRY_MS = 500;
/** Interval of the reports while all connections stay busy. */
const BUSY_MS = 10_000;
/** Interval of the checks while all connections are busy: the database may have become unreachable meanwhile. */
const BUSY_RETRY_MS = 1_000;

export interface DatabaseHealthListener {
  /** Connections broke, but the database is reachable. */
  readonly onLoss: (error: unknown) => void;
  /** A caller got no connection in time, but the database is reachable. */
  readonly onBusy: (error: unknown) => void;
  readonly onAway: (error: unknown) => void;
  /** @param seconds length of the outage */
  readonly onBack: (seconds: number) => void;
}

/** Detects outages of the database from failed requests, and reports each change once, however many requests fail. */
export class DatabaseHealthMonitor implements OnApplicationShutdown {
  private ping: (() => Promise<void>) | undefined;
  private isChecking = false;
  private foundBusyAt = -Infinity;
  private reportedBusyAt = -Infinity;
  private awaySince: number | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly listener: DatabaseHealthListener,
    /** A monotonic clock in milliseconds. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @param ping rejects when the database does not reply */
  begin(ping: () => Promise<void>): void {
    this.ping = ping;
  }

  /**
   * Reports the error if it concerns the connection to the database. Returns whether it does; the caller then need not
   * log it.
   */
  takes(error: unknown): boolean {
    if (!isConnectionLost(error) && !isDatabaseBusy(error)) return false;
    this.report(error);
    return true;
  }

  /** A caller could not reach the database. */
  report(error: unknown): void {
    if (this.isClosed || !this.ping || this.isChecking || this.awaySince !== undefined || this.isKnown(error)) return;
    this.isChecking = true;
    void this.check().then((failure) => {
      this.isChecking = false;
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
      this.listener.onLoss(error);
      return;
    }
    this.foundBusyAt = this.now();
    if (this.foundBusyAt - this.reportedBusyAt < BUSY_MS) return;
    this.reportedBusyAt = this.foundBusyAt;
    this.listener.onBusy(error);
  }

  onApplicationShutdown(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  private away(error: unknown): void {
    this.awaySince = this.now();
    this.listener.onAway(error);
    this.checkLater();
  }

  private checkLater(): void {
    this.timer = setTimeout(() => {
      void this.check().then((failure) => {
        if (this.isClosed) return;
        if (failure === undefined) this.back();
        else this.checkLater();
      });
    }, RETRY_MS).unref();
  }

  private back(): void {
    const seconds = (this.now() - (this.awaySince ?? 0)) / 1_000;
    this.awaySince = undefined;
    this.listener.onBack(seconds);
  }

  /** Returns the error of the ping, or undefined. */
  private async check(): Promise<unknown> {
    try {
      await this.ping?.();
      return undefined;
    } catch (error) {
      return error;
    }
  }
}
