import { Injectable } from '@nestjs/common';
import { AuditPositionRepository, OrderedAuditEvent } from '../../audit';
import { EventFilter, eventsOf, FeedEvent, isWanted } from './feed-event';
import { afterAct, FEED_START, FeedPosition } from './feed-position';

/** Audited acts read at once. */
const BATCH = 200;
/** By followers, which share what they read. */
const FOLLOWED_BATCH = 500;
/** How long what a follower has read is shared with others at the same place. */
const SHARED_MS = 100;

export interface FeedQuery extends EventFilter {
  /** Up to 100 events. */
  readonly limit: number;
}

export interface FeedEntry {
  readonly event: FeedEvent;
  /** The place after the event. */
  readonly next: FeedPosition;
}

export interface FeedPart {
  readonly entries: readonly FeedEntry[];
  /** Where to read on. The same as before if nothing was read. */
  readonly next: FeedPosition;
  /** Whether nothing is left to read for now. */
  readonly isEnd: boolean;
}

/**
 * Reads the audit log as events, oldest first. A reader that continues at `next` misses no event and reads none twice,
 * also when transactions commit in another order than they began.
 */
@Injectable()
export class EventFeedService {
  private readonly shared = new Map<string, SharedActs>();

  constructor(private readonly acts: AuditPositionRepository) {}

  /** Reads a bounded number of acts, so a part may be empty although later acts have wanted events. */
  async read(from: FeedPosition, query: FeedQuery): Promise<FeedPart> {
    return partOf(from, query, await this.readActs(from, BATCH), BATCH);
  }

  /**
   * As `read`, for many followers in this process: those at the same place share a query and its mapping. Events of the
   * last 100 ms may be missing; they come with the next part.
   */
  async follow(from: FeedPosition, query: FeedQuery): Promise<FeedPart> {
    return partOf(from, query, await this.readShared(from), FOLLOWED_BATCH);
  }

  private readShared(from: FeedPosition): Promise<readonly ReadAct[]> {
    const now = performance.now();
    for (const [key, { until }] of this.shared) if (until < now) this.shared.delete(key);
    const key = `${from.position}|${from.id}`;
    const known = this.shared.get(key);
    if (known) return known.acts;
    const acts = this.readActs(from, FOLLOWED_BATCH);
    this.shared.set(key, { acts, until: now + SHARED_MS });
    acts.catch(() => this.shared.delete(key));
    return acts;
  }

  private async readActs(from: FeedPosition, limit: number): Promise<readonly ReadAct[]> {
    return (await this.acts.find(from, limit)).map((act) => ({ act, entries: entriesOf(act) }));
  }

  /** The place after all events so far. */
  async end(): Promise<FeedPosition> {
    const newest = await this.acts.newest();
    return newest ? afterAct(newest) : FEED_START;
  }

  /**
   * Whether events after the position may have been deleted, with everything up to it. The beginning of the feed is before
   * every event, so it says nothing by itself.
   */
  async mayHaveExpired(position: string): Promise<boolean> {
    const oldest = await this.acts.oldest();
    if (oldest === undefined || BigInt(position) >= BigInt(oldest)) return false;
    return position !== FEED_START.position || this.acts.haveExpired();
  }

  /** A place before all events that happened at the time or later. */
  async startOf(time: Date): Promise<FeedPosition> {
    const position = await this.acts.firstSince(time);
    return position === undefined ? this.end() : { ...FEED_START, position, at: time };
  }
}

interface ReadAct {
  readonly act: OrderedAuditEvent;
  readonly entries: readonly FeedEntry[];
}

interface SharedActs {
  readonly acts: Promise<readonly ReadAct[]>;
  /** By `performance.now()`. */
  readonly until: number;
}

function partOf(from: FeedPosition, query: FeedQuery, acts: readonly ReadAct[], batch: number): FeedPart {
  const entries: FeedEntry[] = [];
  let next = from;
  for (const { act, entries: all } of acts) {
    const isPartlyRead = act.id === from.id && act.position === from.position;
    for (const entry of isPartlyRead ? all.slice(from.ordinal) : all) {
      next = entry.next;
      if (isWanted(entry.event, query)) entries.push(entry);
      if (entries.length === query.limit) return { entries, next, isEnd: false };
    }
    next = afterAct(act);
  }
  return { entries, next, isEnd: acts.length < batch };
}

const entriesOf = (act: OrderedAuditEvent): FeedEntry[] =>
  eventsOf(act).map((event, index, { length }) => ({
    event,
    next: index + 1 === length ? afterAct(act) : { ...afterAct(act), ordinal: index + 1 },
  }));
