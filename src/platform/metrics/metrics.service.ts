import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { HashingQueue } from '../crypto';
import { Database } from '../database';
import { Log } from '../logging';

/** In seconds. */
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export interface AnsweredRequest {
  readonly method: string;
  /** The route's pattern, never the address itself: a label must not grow with its visitors. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** A value with its labels. */
export interface Sample<L extends string> {
  readonly labels: Readonly<Record<L, string>>;
  readonly value: number;
}

let processRegistry: Registry | undefined;

/**
 * Of the process, whichever service in it is asked. What watches it cannot be ended, and keeps whoever began it in memory:
 * a host that starts the service again and again would keep each of them.
 */
function ofProcess(): Registry {
  if (!processRegistry) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}

/** What the service counts and measures, for Prometheus. The registry is its own: a host's stays untouched. */
@Injectable()
export class MetricsService {
  private readonly registry = new Registry();
  private readonly requests: Histogram<'method' | 'route' | 'status'>;
  private readonly logins: Counter<'method' | 'outcome'>;
  private readonly refreshes: Counter<'outcome'>;
  private readonly deliveries: Counter<'channel' | 'provider' | 'outcome'>;
  private readonly logoutNotices: Counter<'outcome'>;
  private readonly busyRefusals: Counter;

  constructor(queue: HashingQueue, database: Database, log: Log) {
    const registers = [this.registry];
    // From the start on, not from the first reading.
    ofProcess();
    this.requests = new Histogram({
      name: 'castellan_http_request_seconds',
      help: 'Time to answer, by route and status',
      labelNames: ['method', 'route', 'status'],
      buckets: REQUEST_BUCKETS,
      registers,
    });
    this.logins = new Counter({
      name: 'castellan_logins_total',
      help: 'Logins, by method and outcome (success, or the code of the refusal)',
      labelNames: ['method', 'outcome'],
      registers,
    });
    this.refreshes = new Counter({
      name: 'castellan_refreshes_total',
      help: 'Refreshes, by outcome (rotated, grace, or the code of the refusal)',
      labelNames: ['outcome'],
      registers,
    });
    this.deliveries = new Counter({
      name: 'castellan_deliveries_total',
      help: 'Messages, by channel, provider and outcome (accepted, rejected, throttled, unknown)',
      labelNames: ['channel', 'provider', 'outcome'],
      registers,
    });
    this.logoutNotices = new Counter({
      name: 'castellan_logout_notices_total',
      help: 'Logouts told to applications, by outcome (told, deferred: after the first tries, failed: after the last)',
      labelNames: ['outcome'],
      registers,
    });
    this.busyRefusals = new Counter({
      name: 'castellan_database_busy_total',
      help: 'Requests refused because no connection to the database came free in time',
      registers,
    });
    this.gauge('castellan_hashes_running', 'Password hashes being computed', () => queue.running);
    this.gauge('castellan_hashes_waiting', 'Password hashes waiting for a place', () => queue.waiting);
    this.gauge('castellan_database_connections', 'Open connections of the pool', () => database.pool().open);
    this.gauge('castellan_database_waiting', 'Requests waiting for a connection', () => database.pool().waiting);
    this.counter('castellan_log_lines_dropped_total', 'Log lines lost since the start', () => log.droppedLines);
  }

  countRequest({ method, route, status, seconds }: AnsweredRequest): void {
    this.requests.observe({ method, route, status }, seconds);
  }

  countLogin(method: string, outcome: string): void {
    this.logins.inc({ method, outcome });
  }

  countRefresh(outcome: string): void {
    this.refreshes.inc({ outcome });
  }

  countDelivery(delivered: { channel: string; provider: string; outcome: string }): void {
    const { channel, provider, outcome } = delivered;
    this.deliveries.inc({ channel, provider, outcome });
  }

  countLogoutNotice(outcome: 'told' | 'deferred' | 'failed'): void {
    this.logoutNotices.inc({ outcome });
  }

  countBusyRefusal(): void {
    this.busyRefusals.inc();
  }

  /** A value that is read with each scrape; undefined leaves it out. */
  gauge(name: string, help: string, read: () => number | undefined): void {
    this.gauges(name, help, [], () => {
      const value = read();
      return value === undefined ? [] : [{ labels: {}, value }];
    });
  }

  /** Values of one name with different labels, read with each scrape. */
  gauges<L extends string>(name: string, help: string, labelNames: readonly L[], read: () => Sample<L>[]): void {
    const gauge = new Gauge<string>({
      name,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
      collect: () => {
        gauge.reset();
        // A gauge without labels is zero after a reset; a value that is not known is none.
        if (labelNames.length === 0) gauge.remove();
        for (const { labels, value } of read()) gauge.set(labels, value);
      },
    });
  }

  /** A count that is kept elsewhere and read with each scrape. */
  counter(name: string, help: string, read: () => number): void {
    const counter = new Counter({
      name,
      help,
      registers: [this.registry],
      collect: () => {
        counter.reset();
        counter.inc(read());
      },
    });
  }

  /** @returns what records a duration. */
  durations(name: string, help: string, buckets: readonly number[]): (seconds: number) => void {
    const histogram = new Histogram({ name, help, buckets: [...buckets], registers: [this.registry] });
    return (seconds) => {
      histogram.observe(seconds);
    };
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  async text(): Promise<string> {
    const [process, own] = await Promise.all([ofProcess().metrics(), this.registry.metrics()]);
    return `${process}\n${own}`;
  }
}
