import { BeforeApplicationShutdown, Injectable, OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { newId } from '../../platform/crypto';
import { StartupTasks } from '../../platform/database';
import { Scheduler } from '../../platform/jobs';
import { Log } from '../../platform/logging';
import { withDeadline } from '../../platform/util';
import { feedEventDto } from '../feed/dto/event.dto';
import { EventFeedService, FeedEntry } from '../feed/event-feed.service';
import { FEED_START, FeedPosition } from '../feed/feed-position';
import { EventConsumerRepository } from './event-consumer.repository';
import { EventHandler, findEventHandlers } from './find-event-handlers';

/** Half of the time in which an event should reach its handlers. */
const POLL_SECONDS = 0.5;
const LEASE_SECONDS = 30;
const RENEW_SECONDS = 20;
/** How often other instances try to take over. */
const LEASE_EVERY_MS = 5_000;
/** For one event. */
const PATIENCE_MS = 60_000;
/** Events read at once. */
const PART = 50;
/** Within a quarter of an hour. Then the event is skipped. */
const MAX_ATTEMPTS = 20;
const MAX_DELAY_MS = 60_000;
/** Places are stored after each event, and this often while there is none for the handler. */
const STORE_EVERY_MS = 30_000;

interface Consumer {
  readonly handler: EventHandler;
  /** Times by `performance.now()`. */
  heldUntil: number;
  retryAt: number;
  storedAt: number;
  from: FeedPosition;
  /** The place in the database. */
  stored: FeedPosition;
  attempts: number;
  isRunning: boolean;
}

const consumerOf = (handler: EventHandler): Consumer => ({
  handler,
  heldUntil: 0,
  retryAt: 0,
  storedAt: 0,
  from: FEED_START,
  stored: FEED_START,
  attempts: 0,
  isRunning: false,
});

/**
 * Runs the methods with `@OnIdentityEvent()`. Each has its place in the feed, and one instance runs it at a time, as long
 * as it renews its lease; when it dies, another takes over after the lease.
 */
@Injectable()
export class EventHandlersService implements OnModuleInit, BeforeApplicationShutdown {
  private readonly instance = newId();
  private consumers: readonly Consumer[] = [];
  private leaseAt = 0;
  private isStopping = false;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly places: EventConsumerRepository,
    private readonly feed: EventFeedService,
    private readonly startup: StartupTasks,
    private readonly jobs: Scheduler,
    private readonly log: Log,
  ) {}

  onModuleInit(): void {
    this.consumers = findEventHandlers(this.discovery).map(consumerOf);
    if (this.consumers.length === 0) return;
    this.startup.add({ name: 'event handlers', stage: 'roles', run: () => this.register() });
    this.jobs.every(POLL_SECONDS, { name: 'event handlers', run: () => this.poll() });
  }

  /** Idle handlers are released now, the others when their event is handled. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.releaseIdle();
  }

  private async releaseIdle(): Promise<void> {
    for (const consumer of this.consumers) if (!consumer.isRunning) await this.release(consumer);
  }

  private async register(): Promise<void> {
    await this.places.register(this.names(), await this.feed.end());
  }

  private names(): string[] {
    return this.consumers.map(({ handler }) => handler.name);
  }

  private async poll(): Promise<void> {
    if (this.isStopping) return;
    await this.lease();
    const ready = this.consumers.filter(
      (one) => !one.isRunning && this.isHeld(one) && one.retryAt <= performance.now(),
    );
    if (ready.length === 0) return;
    const end = await this.feed.end();
    for (const consumer of ready) {
      if (isSamePlace(consumer.from, end)) continue;
      consumer.isRunning = true;
      const name = `handler of events ${consumer.handler.name}`;
      this.jobs.runInBackground({ name, run: () => this.work(consumer) });
    }
  }

  private async lease(): Promise<void> {
    // Before the query, so that a lease ends here before it ends in the database.
    const now = performance.now();
    if (now < this.leaseAt) return;
    this.leaseAt = now + LEASE_EVERY_MS;
    const leased = await this.places.lease({
      instance: this.instance,
      names: this.names(),
      seconds: LEASE_SECONDS,
      renewSeconds: RENEW_SECONDS,
    });
    const places = new Map(leased.map(({ name, from }) => [name, from]));
    for (const consumer of this.consumers) {
      const from = places.get(consumer.handler.name);
      if (!from) continue;
      // What this instance has read since is not stored yet.
      if (!this.isHeld(consumer)) {
        // It still runs from its former lease: taken up after its end.
        if (consumer.isRunning) continue;
        Object.assign(consumer, { from, stored: from, attempts: 0, retryAt: 0, storedAt: now });
      }
      consumer.heldUntil = now + LEASE_SECONDS * 1_000;
    }
    // The stop may have begun during the query.
    if (this.isStopping) await this.releaseIdle();
  }

  private async work(consumer: Consumer): Promise<void> {
    try {
      while (this.mayRun(consumer) && (await this.workOnce(consumer)));
      if (this.isHeld(consumer) && performance.now() > consumer.storedAt + STORE_EVERY_MS) await this.store(consumer);
    } finally {
      consumer.isRunning = false;
      if (this.isStopping) await this.release(consumer);
    }
  }

  /** Returns whether there may be more to do. */
  private async workOnce(consumer: Consumer): Promise<boolean> {
    const part = await this.feed.read(consumer.from, { limit: PART, types: consumer.handler.filters });
    for (const { event, next } of part.entries) {
      if (!this.mayRun(consumer) || !(await this.handle(consumer, event))) return false;
      // Another instance may have gone on from here meanwhile.
      if (!this.isHeld(consumer)) return false;
      consumer.from = next;
      await this.store(consumer);
    }
    if (!this.isHeld(consumer)) return false;
    consumer.from = part.next;
    return !part.isEnd;
  }

  /** Returns whether the event is done: handled, or skipped after its last attempt. */
  private async handle(consumer: Consumer, event: FeedEntry['event']): Promise<boolean> {
    const { handler } = consumer;
    try {
      await withDeadline(
        PATIENCE_MS,
        Promise.resolve().then(() => handler.run(feedEventDto(event, { seesNames: true }))),
      );
    } catch (error) {
      return this.fail(consumer, event, error);
    }
    consumer.attempts = 0;
    return true;
  }

  private fail(consumer: Consumer, { id, type }: FeedEntry['event'], error: unknown): boolean {
    consumer.attempts += 1;
    const fields = { handler: consumer.handler.name, event_id: id, event_type: type, err: error };
    if (consumer.attempts === MAX_ATTEMPTS) {
      consumer.attempts = 0;
      this.log.error('A handler of events failed for the last time: the event is skipped', fields);
      return true;
    }
    this.log.warn('A handler of events failed and gets the event again', fields);
    consumer.retryAt = performance.now() + Math.min(MAX_DELAY_MS, 1_000 * 2 ** (consumer.attempts - 1));
    return false;
  }

  private async store(consumer: Consumer): Promise<void> {
    if (isSamePlace(consumer.from, consumer.stored)) return;
    if (await this.places.moveTo(this.instance, consumer.handler.name, consumer.from)) {
      consumer.stored = consumer.from;
      consumer.storedAt = performance.now();
      return;
    }
    consumer.heldUntil = 0;
  }

  private mayRun(consumer: Consumer): boolean {
    return !this.isStopping && this.isHeld(consumer);
  }

  private isHeld({ heldUntil }: Consumer): boolean {
    return performance.now() < heldUntil;
  }

  private async release(consumer: Consumer): Promise<void> {
    if (!this.isHeld(consumer)) return;
    try {
      await this.store(consumer);
      consumer.heldUntil = 0;
      await this.places.release(this.instance, [consumer.handler.name]);
    } catch (error) {
      // Without the database, the lease just ends.
      this.log.debug('Releasing a handler of events failed', { err: error });
    }
  }
}

const isSamePlace = (one: FeedPosition, other: FeedPosition): boolean =>
  one.position === other.position && one.id === other.id && one.ordinal === other.ordinal;
