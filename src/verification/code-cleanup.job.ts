import { Injectable, OnModuleInit } from '@nestjs/common';
import { inBatches, Scheduler } from '../platform/jobs';
import { CodeTargetRepository } from './code-target.repository';
import { CodeRepository } from './code.repository';

const EVERY_SECONDS = 600;

/** Deletes expired codes and unused targets, in small batches that hold few locks. */
@Injectable()
export class CodeCleanupJob implements OnModuleInit {
  constructor(
    private readonly codes: CodeRepository,
    private readonly targets: CodeTargetRepository,
    private readonly jobs: Scheduler,
  ) {}

  onModuleInit(): void {
    this.jobs.every(EVERY_SECONDS, { name: 'expired codes', run: () => this.clean() });
  }

  async clean(): Promise<void> {
    await inBatches((limit) => this.codes.deleteExpired(limit));
    await inBatches((limit) => this.targets.deleteStale(limit));
  }
}
