import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { HashingQueue } from '../crypto';
import { Database } from '../database';
import { Log } from '../logging';

/** In seconds. */
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export interface AnsweredRequest {
  readonly method: string;
  /** The pattern of the route, never the URL: labels must not grow with traffic. */
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
 * Metrics of the process, shared by all services in it. Its collectors cannot be stopped and would keep every instance
 * that a host starts in memory.
 */
function processMetrics(): Registry {
  if (!processRegistry) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}

/** Prometheus metrics of the service, in a registry of this instance, so that a host's registry stays untouched. */
@Injectable()
export class MetricsService {
  private readonly registry = new Registry();
  private readonly requests: Histogram<'method' | 'route' | 'status'>;
  private readonly logins: Counter<'method' | 'outcome'>;
  private readonly refreshes: Counter<'outcome'>;
  private readonly deliveries: Counter<'channel' | 'provider' | 'outcome'>;
  private readonly logoutNotices: Counter<'outcome'>;
  private readonly webhookAttempts = new Counter<'outcome'>({
    name: 'castellan_webhook_attempts_total',
    help: 'Attempts to deliver events to webhooks, by outcome (delivered, failed: retried later, given_up: the last one)',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  private readonly auditBatches = new Counter<'sink' | 'outcome'>({
    name: 'castellan_audit_sink_batches_total',
    help: 'Batches of the audit log sent to its receivers, by outcome (delivered, failed: sent again, partly: the receiver dropped events, skipped: one event that it rejected for an hour)',
    labelNames: ['sink', 'outcome'],
    registers: [this.registry],
  });
  private readonly busyRejections: Counter;

  constructor(queue: HashingQueue, database: Database, log: Log) {
    const registers = [this.registry];
    // Starts collecting now instead of at the first scrape.
    processMetrics();
    this.requests = new Histogram({
      name: 'castellan_http_request_seconds',
      help: 'Response time, by route and status',
      labelNames: ['method', 'route', 'status'],
      buckets: REQUEST_BUCKETS,
      registers,
    });
    this.logins = new Counter({
      name: 'castellan_logins_total',
      help: 'Logins, by method and outcome (success, or the error code)',
      labelNames: ['method', 'outcome'],
      registers,
    });
    this.refreshes = new Counter({
      name: 'castellan_refreshes_total',
      help: 'Refreshes, by outcome (rotated, grace, or the error code)',
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
      help: 'Logout notifications to clients, by outcome (told, deferred: after the first tries, failed: after the last)',
      labelNames: ['outcome'],
      registers,
    });
    // Otherwise the first failure would create the series, and Prometheus would see no increase.
    this.logoutNotices.inc({ outcome: 'failed' }, 0);
    this.webhookAttempts.inc({ outcome: 'given_up' }, 0);
    this.busyRejections = new Counter({
      name: 'castellan_database_busy_total',
      help: 'Requests rejected because no database connection was free in time',
      registers,
    });
    this.gauge('castellan_hashes_running', 'Password hashes being computed', () => queue.running);
    this.gauge('castellan_hashes_waiting', 'Password hashes waiting to start', () => queue.waiting);
    this.gauge('castellan_database_connections', 'Open connections of the pool', () => database.pool().open);
    this.gauge('castellan_database_waiting', 'Requests waiting for a connection', () => database.pool().waiting);
    this.counter('castellan_log_lines_dropped_total', 'Log lines lost since startup', () => log.droppedLines);
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

  countWebhookAttempt(outcome: 'delivered' | 'failed' | 'given_up'): void {
    this.webhookAttempts.inc({ outcome });
  }

  countAuditBatch(sink: string, outcome: 'delivered' | 'failed' | 'partly' | 'skipped'): void {
    this.auditBatches.inc({ sink, outcome });
  }

  countBusyRejection(): void {
    this.busyRejections.inc();
  }

  /** A value that is read on each scrape; undefined omits it. */
  gauge(name: string, help: string, read: () => number | undefined): void {
    this.gauges(name, help, [], () => {
      const value = read();
      return value === undefined ? [] : [{ labels: {}, value }];
    });
  }

  /** Values of one name with different labels, read on each scrape. */
  gauges<L extends string>(name: string, help: string, labelNames: readonly L[], read: () => Sample<L>[]): void {
    const gauge = new Gauge<string>({
      name,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
      collect: () => {
        gauge.reset();
        // A gauge without labels would be zero after a reset instead of missing.
        if (labelNames.length === 0) gauge.remove();
        for (const { labels, value } of read()) gauge.set(labels, value);
      },
    });
  }

  /** A count kept elsewhere and read on each scrape. */
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

  /** @returns a function that records a duration. */
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
    const [process, own] = await Promise.all([processMetrics().metrics(), this.registry.metrics()]);
    return `${process}\n${own}`;
  }
}
