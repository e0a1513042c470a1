import { Injectable, OnModuleInit } from '@nestjs/common';
import { AuditPosition, AuditPositionRepository } from '../../audit';
import { Scheduler } from '../../platform/jobs';

/** Half of the time in which an event should reach its readers. */
const POLL_SECONDS = 0.5;

interface Waiting {
  readonly seen: AuditPosition;
  readonly wake: () => void;
}

/**
 * Wakes the streams of this instance when there are new events of any instance. One query serves all streams, and none
 * is sent without a stream.
 */
@Injectable()
export class EventTailService implements OnModuleInit {
  private readonly waiting = new Set<Waiting>();
  private newest: AuditPosition | undefined;

  constructor(
    private readonly acts: AuditPositionRepository,
    private readonly jobs: Scheduler,
  ) {}

  onModuleInit(): void {
    this.jobs.every(POLL_SECONDS, { name: 'new events', run: () => this.poll() });
  }

  /** Resolves when there is an act after `seen`, or after the time. */
  async wait(seen: AuditPosition, ms: number): Promise<void> {
    if (this.newest && isAfter(this.newest, seen)) {
      // Read again before the next return at once: the database may have lost the act when a replica took over.
      this.newest = undefined;
      return;
    }
    let wake = (): void => undefined;
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const waiting = { seen, wake };
    this.waiting.add(waiting);
    const timer = setTimeout(wake, ms);
    await woken;
    clearTimeout(timer);
    this.waiting.delete(waiting);
  }

  wakeAll(): void {
    for (const { wake } of this.waiting) wake();
  }

  private async poll(): Promise<void> {
    if (this.waiting.size === 0) return;
    const newest = await this.acts.newest();
    if (!newest) return;
    this.newest = newest;
    for (const { seen, wake } of this.waiting) if (isAfter(newest, seen)) wake();
  }
}

function isAfter(one: AuditPosition, other: AuditPosition): boolean {
  const [position, otherPosition] = [BigInt(one.position), BigInt(other.position)];
  return position > otherPosition || (position === otherPosition && one.id > other.id);
}
