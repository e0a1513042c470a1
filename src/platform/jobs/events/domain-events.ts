import { Injectable } from '@nestjs/common';
import { EventEmitter2, EventEmitterReadinessWatcher } from '@nestjs/event-emitter';
import { Transactions } from '../../database';
import { Job, Scheduler } from '../scheduler';
import { Log } from '../../logging';
import { withDeadline } from '../../util';
import { DomainEvent, PREFIX } from './domain-event';

const PATIENCE_MS = 2_000;

type Listener<Payload> = (payload: Payload) => unknown;

/** Publishes domain events; the only registry of listeners. */
@Injectable()
export class DomainEvents {
  /**
   * Our own listeners, from module construction until the process ends. @nestjs/event-emitter registers decorated
   * methods at bootstrap, beside the start-up tasks that already publish, and removes them at shutdown, while requests
   * and jobs still end.
   */
  private readonly inside = new EventEmitter2({ maxListeners: 0 });
  /** What start-up tasks published for decorated methods, until these are registered. */
  private early: Job[] | undefined = [];

  /**
   * @param decorated the emitter of @nestjs/event-emitter, through which `@OnEvent` methods receive `awaited` events.
   */
  constructor(
    private readonly decorated: EventEmitter2,
    private readonly transactions: Transactions,
    private readonly jobs: Scheduler,
    private readonly log: Log,
    decoratedReadiness: EventEmitterReadinessWatcher,
  ) {
    void decoratedReadiness.waitUntilReady().then(() => {
      this.runEarly();
    });
  }

  /** Call while modules are constructed. */
  on<Payload>(event: DomainEvent<Payload>, listener: Listener<Payload>): void {
    this.inside.on(event.name, listener);
  }

  /** Call in the transaction of the action. Outside a transaction, after-commit listeners run at once. */
  async publish<Payload>(event: DomainEvent<Payload>, payload: Payload): Promise<void> {
    switch (event.delivery) {
      case 'in_transaction':
        return this.runInTransaction(event, payload);
      case 'in_background':
        return this.transactions.afterCommit(() => {
          this.beginInBackground(event, payload);
        });
      case 'awaited':
        return this.transactions.afterCommit(() => this.runAwaited(event, payload));
    }
  }

  private async runInTransaction<Payload>(event: DomainEvent<Payload>, payload: Payload): Promise<void> {
    if (!this.transactions.isOpen) throw new Error(`${event.name} is published outside a transaction`);
    for (const listener of listenersOf(this.inside, event)) await listener(payload);
  }

  private beginInBackground<Payload>(event: DomainEvent<Payload>, payload: Payload): void {
    for (const listener of listenersOf(this.inside, event)) {
      this.jobs.runInBackground({
        name: `listener to ${event.name}`,
        run: async () => {
          await listener(payload);
        },
      });
    }
  }

  private async runAwaited<Payload>(event: DomainEvent<Payload>, payload: Payload): Promise<void> {
    const callDecorated = async (): Promise<void> => this.attemptAll(event, this.decorated, payload);
    this.early?.push({ name: `decorated listeners to ${event.name}`, run: callDecorated });
    await Promise.all([this.attemptAll(event, this.inside, payload), ...(this.early ? [] : [callDecorated()])]);
  }

  private runEarly(): void {
    for (const job of this.early ?? []) this.jobs.runInBackground(job);
    this.early = undefined;
  }

  private async attemptAll<Payload>(
    event: DomainEvent<Payload>,
    emitter: EventEmitter2,
    payload: Payload,
  ): Promise<void> {
    await Promise.all(listenersOf(emitter, event).map((listener) => this.attempt(event, listener, payload)));
  }

  private async attempt<Payload>(
    { name }: DomainEvent<Payload>,
    listener: Listener<Payload>,
    payload: Payload,
  ): Promise<void> {
    try {
      await withDeadline(
        PATIENCE_MS,
        Promise.resolve().then(() => listener(payload)),
      );
    } catch (error) {
      this.log.warn(`A ${name.slice(PREFIX.length)} listener failed`, { user_id: userIdOf(payload), err: error });
    }
  }
}

const listenersOf = <Payload>(emitter: EventEmitter2, { name }: DomainEvent<Payload>): Listener<Payload>[] =>
  emitter.listeners(name) as Listener<Payload>[];

const userIdOf = (payload: unknown): unknown =>
  typeof payload === 'object' && payload !== null && 'userId' in payload ? payload.userId : undefined;
