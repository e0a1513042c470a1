import { Injectable, OnModuleInit } from '@nestjs/common';
import { Scheduler } from '../../platform/jobs';
import { RequestedDeletionsService } from './requested-deletions.service';

const EVERY_SECONDS = 600;

/** Reminds owners of requested deletions, and deletes the accounts whose time is over. */
@Injectable()
export class RequestedDeletionsJob implements OnModuleInit {
  constructor(
    private readonly deletions: RequestedDeletionsService,
    private readonly jobs: Scheduler,
  ) {}

  onModuleInit(): void {
    this.jobs.every(EVERY_SECONDS, {
      name: 'reminders of requested deletions',
      run: (stopping) => this.deletions.remind(stopping),
    });
    this.jobs.every(EVERY_SECONDS, {
      name: 'requested deletions',
      run: (stopping) => this.deletions.deleteDue(stopping),
    });
  }
}
