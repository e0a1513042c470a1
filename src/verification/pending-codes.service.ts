import { Injectable, OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '../platform/jobs/events';
import { userDeleting } from '../users';
import { CodeRepository } from './code.repository';

/** Deletes the codes of users who lose access. */
@Injectable()
export class PendingCodesService implements OnModuleInit {
  constructor(
    private readonly codes: CodeRepository,
    private readonly events: DomainEvents,
  ) {}

  onModuleInit(): void {
    this.events.on(userDeleting, ({ userId }) => this.endFor(userId));
  }

  /** Deletes the user's codes in the caller's transaction. */
  async endFor(userId: string): Promise<void> {
    await this.codes.deleteOfUser(userId);
  }

  /** Same as `endFor`, for many users. */
  async endForAll(userIds: readonly string[]): Promise<void> {
    await this.codes.deleteOfUsers(userIds);
  }
}
