import { setTimeout } from 'node:timers/promises';
import { BeforeApplicationShutdown, Injectable, OnModuleInit } from '@nestjs/common';
import { EventFeedService } from '../feed';
import { newId } from '../../platform/crypto';
import { DeliveryAttemptsService, DeliveryKind, SentDelivery } from '../../platform/outbound/deliveries';
import { Scheduler } from '../../platform/jobs';
import { Log } from '../../platform/logging';
import { DueDelivery } from './webhook-delivery.repository';
import { WebhookDisablingService } from './webhook-disabling.service';
import { WebhookQueueService } from './webhook-queue.service';
import { WebhookSenderService } from './webhook-sender.service';
import { Webhook } from './webhook.entity';
import { WebhookRepository } from './webhook.repository';

const WEBHOOK: DeliveryKind = { name: 'webhook', maxRunning: 40 };

/** Half of the time in which an event should reach its receivers. */
const POLL_SECONDS = 0.5;
/**
 * While a webhook has events, it reads the feed at times that all webhooks share, so that those at the same place share
 * what they read, and a round has several deliveries.
 */
const FILL_EVERY_MS = 250;
const LEASE_SECONDS = 30;
const RENEW_SECONDS = 20;
/** An attempt begins only if it ends within the lease: ten seconds for the answer, the rest to store the result. */
const MARGIN_MS = 14_000;

/**
 * Delivers events to receivers. One instance delivers for a webhook at a time, as long as it renews its lease; when it
 * dies, another takes over after the lease. A receiver may get an event twice, with the same id.
 */
@Injectable()
export class WebhookDispatcherService implements OnModuleInit, BeforeApplicationShutdown {
  private readonly instance = newId();
  /** Ends of the leases, by `performance.now()`. */
  private readonly leases = new Map<string, number>();
  private readonly running = new Set<string>();
  private isStopping = false;

  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly queue: WebhookQueueService,
    private readonly sender: WebhookSenderService,
    private readonly disabling: WebhookDisablingService,
    private readonly attempts: DeliveryAttemptsService,
    private readonly feed: EventFeedService,
    private readonly jobs: Scheduler,
    private readonly log: Log,
  ) {}

  onModuleInit(): void {
    this.jobs.every(POLL_SECONDS, { name: 'webhooks', run: () => this.poll() });
  }

  /** Idle webhooks are released now, the others when their attempts have ended. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.release([...this.leases.keys()].filter((id) => !this.running.has(id)));
  }

  /** Starts work for the leased webhooks that have some. */
  async poll(): Promise<void> {
    if (this.isStopping) return;
    await this.renew();
    const idle = [...this.leases.keys()].filter((id) => !this.running.has(id));
    if (idle.length === 0) return;
    for (const id of await this.webhooks.findWithWork(idle, await this.feed.end())) {
      this.running.add(id);
      this.jobs.runInBackground({ name: 'deliveries of a webhook', run: (stopping) => this.work(id, stopping) });
    }
  }

  private async renew(): Promise<void> {
    // Begins before the query, so that a lease ends here before it ends in the database.
    const until = performance.now() + LEASE_SECONDS * 1_000;
    const leased = await this.webhooks.lease({
      instance: this.instance,
      seconds: LEASE_SECONDS,
      renewSeconds: RENEW_SECONDS,
    });
    for (const id of leased) this.leases.set(id, until);
    for (const [id, end] of this.leases) if (end < performance.now()) this.leases.delete(id);
  }

  private async work(id: string, stopping: AbortSignal): Promise<void> {
    try {
      while (!stopping.aborted && (await this.workOnce(id, stopping)));
    } finally {
      this.running.delete(id);
      if (stopping.aborted || this.isStopping) await this.release([id]);
    }
  }

  /** Returns whether there may be more to do. */
  private async workOnce(id: string, stopping: AbortSignal): Promise<boolean> {
    const webhook = await this.findToSend(id);
    if (!webhook) return false;
    const filled = await this.queue.fill(webhook, this.instance);
    if (!(await this.deliver(webhook))) return false;
    if (filled === 'all') await nextFill(stopping);
    return filled !== 'nothing';
  }

  /** Attempts what is due until nothing is. Returns false if an attempt failed, or none may be made now. */
  private async deliver(webhook: Webhook): Promise<boolean> {
    for (let failingSince = webhook.failingSince; ; failingSince = null) {
      const due = await this.queue.due({ id: webhook.id, failingSince });
      if (due.length === 0) return true;
      const round: Round = { webhook };
      const attempts = await Promise.all(due.map((delivery) => this.attempt(webhook.id, round, delivery)));
      if (await this.queue.settle(webhook, attempts)) await this.disabling.disable(webhook.id);
      if (attempts.some(([, { isDelivered }]) => isDelivered !== true)) return false;
    }
  }

  private async attempt(
    id: string,
    round: Round,
    delivery: DueDelivery,
  ): Promise<readonly [DueDelivery, SentDelivery]> {
    const sent = await this.attempts.run(WEBHOOK, id, async () => {
      const webhook = await this.current(id, round);
      return webhook ? this.sender.send(webhook, delivery.eventId, delivery.payload) : NOT_SENT;
    });
    return [delivery, sent];
  }

  /** The webhook as it is when a delivery's turn comes, because an administrator may have stopped or moved it meanwhile. */
  private async current(id: string, round: Round): Promise<Webhook | undefined> {
    const webhook = await (round.reading ??= this.readAgain(id, round));
    return this.isHeld(id) && !this.isStopping ? webhook : undefined;
  }

  private async readAgain(id: string, round: Round): Promise<Webhook | undefined> {
    const isUnchanged = await this.webhooks.isUnchanged(round.webhook, this.instance).catch(() => false);
    const webhook = isUnchanged ? await this.sendable(round.webhook) : await this.findToSend(id);
    round.webhook = webhook ?? round.webhook;
    round.reading = undefined;
    return webhook;
  }

  private async findToSend(id: string): Promise<Webhook | undefined> {
    const webhook = await this.webhooks.find(id).catch((error: unknown) => {
      this.log.debug('Reading a webhook failed', { err: error });
    });
    const isDue = webhook?.enabled && webhook.leasedBy === this.instance && this.isHeld(id) && !this.isStopping;
    return isDue ? this.sendable(webhook) : undefined;
  }

  /** Nothing is sent for a user who may not send it any more, not even what waits. */
  private async sendable(webhook: Webhook): Promise<Webhook | undefined> {
    const maySend = await this.disabling.requireSetter(webhook).catch((error: unknown) => {
      this.log.debug('Judging a webhook failed', { err: error });
      return false;
    });
    return maySend ? webhook : undefined;
  }

  private isHeld(id: string): boolean {
    return performance.now() + MARGIN_MS < (this.leases.get(id) ?? 0);
  }

  private async release(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.leases.delete(id);
    if (ids.length === 0) return;
    // Without the database, the leases just end.
    await this.webhooks.release(this.instance, ids).catch((error: unknown) => {
      this.log.debug('Releasing webhooks failed', { err: error });
    });
  }
}

/** Deliveries that are attempted together. */
interface Round {
  /** As it was read last. */
  webhook: Webhook;
  /** While it is read again: attempts whose turn comes at the same time share a query. */
  reading?: Promise<Webhook | undefined> | undefined;
}

async function nextFill(stopping: AbortSignal): Promise<void> {
  const ms = FILL_EVERY_MS - (performance.now() % FILL_EVERY_MS);
  // Rejects when the process stops.
  await setTimeout(ms, undefined, { signal: stopping }).catch(() => undefined);
}

const NOT_SENT: SentDelivery = { isDelivered: null, status: null, answer: null, error: null };
