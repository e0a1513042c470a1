import { Injectable, OnModuleInit } from '@nestjs/common';
import { Scheduler } from '../../platform/jobs';
import { Log } from '../../platform/logging';
import { DomainJoin, DomainJoinRepository } from './domain-join.repository';
import { DomainMembersService } from './domain-members.service';

const EVERY_SECONDS = 60;
/** Younger ones are the request's. */
const MIN_AGE_SECONDS = 30;
const PAGE = 100;
/** Bounds a run. */
const MAX_PAGES = 100;
const MAX_DAYS = 7;

/** Adds members by domain whose request failed or crashed after it had proved the address. */
@Injectable()
export class DomainJoinsJob implements OnModuleInit {
  constructor(
    private readonly joins: DomainJoinRepository,
    private readonly members: DomainMembersService,
    private readonly jobs: Scheduler,
    private readonly log: Log,
  ) {}

  onModuleInit(): void {
    this.jobs.every(EVERY_SECONDS, { name: 'members by domain', run: () => this.run() });
  }

  /** A failure does not hold the others back; a later run repeats it, for some days. */
  async run(): Promise<void> {
    for (let page = 0; page < MAX_PAGES; page++) {
      const due = await this.joins.findDue(MIN_AGE_SECONDS, PAGE);
      for (const join of due) await this.complete(join);
      if (due.length < PAGE) return;
    }
  }

  private async complete(join: DomainJoin): Promise<void> {
    try {
      await this.members.complete(join);
    } catch (error) {
      await this.postpone(join, error);
    }
  }

  private async postpone(join: DomainJoin, error: unknown): Promise<void> {
    const about = { user_id: join.userId, organization_id: join.organizationId, err: error };
    if (await this.joins.postpone(join, MAX_DAYS)) {
      await this.joins.remove(join);
      this.log.error('Adding a member by domain was given up', about);
    } else {
      this.log.warn('Adding a member by domain failed', about);
    }
  }
}
