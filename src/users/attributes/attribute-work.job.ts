import { Injectable, OnModuleInit } from '@nestjs/common';
import { Transactions } from '../../platform/database';
import { Scheduler } from '../../platform/jobs';
import { Log } from '../../platform/logging';
import { AttributeWork, AttributeWorkRepository, UserValue } from './attribute-work.repository';
import { keysOf } from './attribute-value';
import { AttributeCache } from './attribute.cache';

const EVERY_SECONDS = 5;
/** Users in one transaction, which keeps writers of these users waiting. */
const BATCH = 500;

/**
 * Gives users their keys when an attribute becomes searchable, and deletes what is kept for a day after an attribute was
 * deleted. In parts, so that no login waits for it; a part that fails is done again.
 */
@Injectable()
export class AttributeWorkJob implements OnModuleInit {
  constructor(
    private readonly work: AttributeWorkRepository,
    private readonly cache: AttributeCache,
    private readonly transactions: Transactions,
    private readonly jobs: Scheduler,
    private readonly log: Log,
  ) {}

  onModuleInit(): void {
    this.jobs.every(EVERY_SECONDS, { name: 'attributes', run: (stopping) => this.run(stopping) });
  }

  async run(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted && (await this.workOnce()));
    while (!stopping.aborted && (await this.deleteUnusedKeys()));
  }

  /** Returns whether there was something to do. */
  private workOnce(): Promise<boolean> {
    return this.transactions.run(async () => {
      const work = await this.work.take();
      if (!work) return false;
      const found = await this.work.nextValues(work, BATCH);
      const last = found.at(-1);
      if (last) await this.handle(work, found);
      if (last && found.length === BATCH) await this.work.moveTo(work.name, last.id);
      else await this.finish(work);
      return true;
    });
  }

  /** Returns whether there were some. */
  private deleteUnusedKeys(): Promise<boolean> {
    return this.transactions.run(async () => (await this.work.deleteUnusedKeys(BATCH)) > 0);
  }

  private async handle({ name, isUnique, isDeleted }: AttributeWork, found: readonly UserValue[]): Promise<void> {
    if (isDeleted) {
      const ids = found.map(({ id }) => id);
      await this.work.dropValues(name, ids);
      return;
    }
    const keys = found.flatMap(({ id: userId, value }) =>
      keysOf(value).map((key) => ({ userId, attribute: name, key, isUnique })),
    );
    await this.work.addKeys(keys);
  }

  private async finish({ name, isDeleted }: AttributeWork): Promise<void> {
    await (isDeleted ? this.work.deleteDefinition(name) : this.work.moveTo(name, null));
    await this.cache.invalidate();
    this.log.info(isDeleted ? 'The values of a deleted attribute are gone' : 'All users can be found by an attribute', {
      attribute: name,
    });
  }
}
