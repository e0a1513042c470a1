import { Injectable, OnModuleInit } from '@nestjs/common';
import { inBatches, Scheduler } from '../../platform/jobs';
import { InvitationRepository } from './invitation.repository';

const EVERY_SECONDS = 3_600;

/** Deletes invitations that expired long ago, in small batches that hold few locks. */
@Injectable()
export class InvitationCleanupJob implements OnModuleInit {
  constructor(
    private readonly invitations: InvitationRepository,
    private readonly jobs: Scheduler,
  ) {}

  onModuleInit(): void {
    this.jobs.every(EVERY_SECONDS, { name: 'expired invitations', run: () => this.clean() });
  }

  async clean(): Promise<void> {
    await inBatches((limit) => this.invitations.deleteExpired(limit));
  }
}
