import { Injectable } from '@nestjs/common';
import { StartupTasks } from '../platform/database';
import { Jobs } from '../platform/jobs';
import { AuditRepository } from './audit.repository';

const DAY_SECONDS = 86_400;

/** Keeps partitions ready ahead of time: at the start, and once a day. */
@Injectable()
export class AuditPartitions {
  constructor(repository: AuditRepository, startup: StartupTasks, jobs: Jobs) {
    const run = (): Promise<void> => repository.ensurePartitions();
    startup.add({ name: 'audit partitions', run });
    jobs.every(DAY_SECONDS, { name: 'audit partitions', run });
  }
}
