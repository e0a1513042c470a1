import { Injectable, OnModuleInit } from '@nestjs/common';
import { AuditEvent } from '../log/audit-event.entity';
import { AuditEventDto, auditEventDto } from '../log/dto/audit.dto';
import { AuditLogRepository } from '../log/audit-log.repository';
import { AuditPosition, AuditPositionRepository } from '../log/audit-position.repository';
import { Environment } from '../../platform/config';
import { FIRST_ID, newId } from '../../platform/crypto';
import { Scheduler } from '../../platform/jobs';
import { Log } from '../../platform/logging';
import { MetricsService } from '../../platform/metrics';
import { AuditSenderService } from './audit-sender.service';
import { AuditSinkError } from './audit-sink-error';
import { AuditSinkConfig, auditSinkVariables } from './audit-sink.variables';
import { AuditSinkRepository, LeasedSink, SinkLease } from './audit-sink.repository';
import { auditBatches } from './audit-sink.metrics';

const POLL_SECONDS = 1;
/** Longer than reading and sending a batch take. */
const LEASE_SECONDS = 30;
const MAX_EVENTS = 500;
const MAX_CHARACTERS = 1_000_000;
const MAX_PAUSE_SECONDS = 60;
/** Of one event, in a row: about an hour with the pauses between them. */
const MAX_REJECTIONS = 60;

interface Batch {
  readonly events: readonly AuditEventDto[];
  readonly end: AuditPosition;
}

/**
 * Sends the audit log to the receivers that the environment names, in order and at least once. One instance at a time
 * sends to a receiver; its place moves when it has accepted a batch, or rejected one event for an hour.
 */
@Injectable()
export class AuditSinksJob implements OnModuleInit {
  private readonly instance = newId();

  constructor(
    private readonly sinks: AuditSinkRepository,
    private readonly sender: AuditSenderService,
    private readonly events: AuditLogRepository,
    private readonly positions: AuditPositionRepository,
    private readonly environment: Environment,
    private readonly metrics: MetricsService,
    private readonly jobs: Scheduler,
    private readonly log: Log,
  ) {}

  onModuleInit(): void {
    for (const sink of this.environment.get(auditSinkVariables)) {
      const name = `audit log to ${sink.kind}`;
      this.jobs.every(POLL_SECONDS, { name, run: (stopping) => this.deliver(sink, stopping) });
    }
  }

  /** Sends everything that the receiver has not got. A new receiver begins with the events from now on. */
  async deliver(sink: AuditSinkConfig, stopping: AbortSignal): Promise<void> {
    const lease = { name: sink.kind, instance: this.instance };
    const end = (await this.positions.newest()) ?? { position: '0', id: FIRST_ID };
    await this.sinks.ensure(sink.kind, end);
    let isTaken = false;
    while (!stopping.aborted) {
      const place = await this.sinks.take(lease, LEASE_SECONDS, end);
      if (!place) break;
      isTaken = true;
      if (!(await this.sendNext(sink, lease, place))) break;
    }
    if (isTaken) await this.sinks.release(lease);
  }

  /** Returns whether the place has moved. */
  private async sendNext(sink: AuditSinkConfig, lease: SinkLease, place: LeasedSink): Promise<boolean> {
    const batch = await this.nextBatch(place);
    const { events, end } = batch;
    if (events.length === 0) return false;
    try {
      this.report(sink, await this.sender.send(sink, events));
    } catch (error) {
      if (!(error instanceof AuditSinkError)) throw error;
      return this.fail(lease, place, { batch, error });
    }
    await this.sinks.advance(lease, end);
    if (place.failures > 0) this.log.info('A receiver accepts the audit log again', { sink: sink.kind });
    return true;
  }

  private report({ kind: sink }: AuditSinkConfig, dropped: number | undefined): void {
    if (dropped === undefined) {
      this.log.error('The answer of a receiver of the audit log does not tell whether it dropped events', { sink });
    } else if (dropped > 0) this.log.error('A receiver of the audit log dropped events', { sink, dropped });
    this.metrics.count(auditBatches, { sink, outcome: dropped === 0 ? 'delivered' : 'partly' });
  }

  /** After a failure, fewer events: a receiver may reject a long request, or a single event. */
  private async nextBatch({ failures, ...place }: LeasedSink): Promise<Batch> {
    const rows = await this.events.findAfter(place, Math.max(1, Math.floor(MAX_EVENTS / 2 ** failures)));
    const events: AuditEventDto[] = [];
    let end: AuditPosition = place;
    let characters = 0;
    for (const row of rows) {
      const event = auditEventDto(row);
      characters += JSON.stringify(event).length;
      if (events.length > 0 && characters > MAX_CHARACTERS) break;
      events.push(event);
      end = placeOf(row);
    }
    return { events, end };
  }

  /** Skips an event that was rejected for long, so that it does not hold back all later ones. Returns whether it did. */
  private async fail(
    lease: SinkLease,
    { failures, rejections }: LeasedSink,
    { batch, error }: { batch: Batch; error: AuditSinkError },
  ): Promise<boolean> {
    const [event] = batch.events;
    const isRejection = error.isRejection && batch.events.length === 1;
    const fields = { sink: lease.name, reason: error.reason };
    // The former version resets failures only.
    if (event && isRejection && Math.min(failures, rejections) + 1 >= MAX_REJECTIONS) {
      // Before the place moves, so that no event is skipped silently.
      this.metrics.count(auditBatches, { sink: lease.name, outcome: 'skipped' });
      const skipped = { ...fields, event_id: event.id, action: event.action };
      this.log.error('Skipped an event that a receiver of the audit log rejects', skipped);
      await this.sinks.advance(lease, batch.end);
      return true;
    }
    this.metrics.count(auditBatches, { sink: lease.name, outcome: 'failed' });
    if (failures === 0) this.log.warn('A receiver does not accept the audit log', fields);
    await this.sinks.postpone(lease, Math.min(MAX_PAUSE_SECONDS, 2 ** failures), isRejection);
    return false;
  }
}

const placeOf = ({ position, id }: AuditEvent): AuditPosition => ({ position: position ?? '0', id });
