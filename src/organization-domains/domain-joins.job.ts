import { Injectable, OnModuleInit } from '@nestjs/common';
import { Scheduler } from '../platform/jobs';
import { Log } from '../platform/logging';
import { DomainJoinRepository } from './domain-join.repository';
import { DomainMembersService } from './domain-members.service';

const EVERY_SECONDS = 60;
/** Younger ones are the request's. */
const MIN_AGE_SECONDS = 30;
const MAX_JOINS = 100;

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

  /** A failure does not hold the others back; the next run repeats it. */
  async run(): Promise<void> {
    for (const join of await this.joins.findOlderThan(MIN_AGE_SECONDS, MAX_JOINS)) {
      try {
        await this.members.complete(join);
      } catch (error) {
        this.log.warn('Adding a member by domain failed', { user_id: join.userId, err: error });
      }
    }
  }
}
