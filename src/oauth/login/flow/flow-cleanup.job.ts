import { Injectable, OnModuleInit } from '@nestjs/common';
import { inBatches, Scheduler } from '../../../platform/jobs';
import { AccountLinkTokenRepository } from './account-link-token.repository';
import { AuthorizationRequestRepository } from './authorization-request.repository';

const EVERY_SECONDS = 300;

/** Deletes expired authorization requests and temp tokens. */
@Injectable()
export class FlowCleanupJob implements OnModuleInit {
  constructor(
    private readonly states: AuthorizationRequestRepository,
    private readonly linkTokens: AccountLinkTokenRepository,
    private readonly jobs: Scheduler,
  ) {}

  onModuleInit(): void {
    this.jobs.every(EVERY_SECONDS, { name: 'expired logins at providers', run: () => this.clean() });
  }

  async clean(): Promise<void> {
    await inBatches((limit) => this.states.deleteExpired(limit));
    await inBatches((limit) => this.linkTokens.deleteExpired(limit));
  }
}
