import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { HashingQueue } from '../crypto';
import { Database } from '../database';
import { Log } from '../logging';
import { CounterDefinition, definedCounters } from './counters';

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
  private readonly counters = new Map<CounterDefinition, Counter>();
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
    for (const definition of definedCounters()) this.register(definition);
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

  /** Counts one more with these labels. */
  count<L extends string>(counter: CounterDefinition<L>, labels: Readonly<Record<L, string>>): void {
    (this.counters.get(counter) ?? this.register(counter)).inc(labels);
  }

  countBusyRejection(): void {
    this.busyRejections.inc();
  }

  private register(definition: CounterDefinition): Counter {
    const { name, help, labelNames, startingAtZero } = definition;
    const counter = new Counter({ name, help, labelNames: [...labelNames], registers: [this.registry] });
    for (const labels of startingAtZero) counter.inc(labels, 0);
    this.counters.set(definition, counter);
    return counter;
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
