import { Injectable } from '@nestjs/common';
import { inBatches, Jobs } from '../../platform/jobs';
import { BindTicketRepository } from './bind-ticket.repository';
import { LoginStateRepository } from './login-state.repository';

const EVERY_SECONDS = 300;

/** Deletes what nobody came back with. */
@Injectable()
export class FlowCleaner {
  constructor(
    private readonly states: LoginStateRepository,
    private readonly tickets: BindTicketRepository,
    jobs: Jobs,
  ) {
    jobs.every(EVERY_SECONDS, { name: 'expired logins at providers', run: () => this.clean() });
  }

  async clean(): Promise<void> {
    await inBatches((limit) => this.states.deleteExpired(limit));
    await inBatches((limit) => this.tickets.deleteExpired(limit));
  }
}
