import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import { HashingQueue } from '../crypto';
import { Database } from '../database';
import { Log } from '../logging';
import { AnsweredRequest, RequestTimes } from './request-times';

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
export class Metrics {
  private readonly registry = new Registry();
  private readonly requests = new RequestTimes();
  private readonly logins: Counter<'method' | 'outcome'>;
  private readonly refreshes: Counter<'outcome'>;
  private readonly deliveries: Counter<'channel' | 'provider' | 'outcome'>;
  private readonly logoutNotices: Counter<'outcome'>;
  private readonly busyRefusals: Counter;

  constructor(queue: HashingQueue, database: Database, log: Log) {
    const registers = [this.registry];
    // From the start on, not from the first reading.
    ofProcess();
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
    this.gauge('castellan_log_lines_dropped', 'Log lines lost since the start', () => log.droppedLines);
  }

  countRequest(request: AnsweredRequest): void {
    this.requests.count(request);
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

  /** A value that is asked for whenever somebody reads. */
  gauge(name: string, help: string, read: () => number): void {
    const gauge = new Gauge({
      name,
      help,
      registers: [this.registry],
      collect: () => {
        gauge.set(read());
      },
    });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  async text(): Promise<string> {
    const [process, own] = await Promise.all([ofProcess().metrics(), this.registry.metrics()]);
    return `${process}\n${own}\n${this.requests.text()}`;
  }
}
