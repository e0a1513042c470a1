import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/config';
import { Log } from '../../../platform/logging';
import { MessageChannel } from '../../message/message';
import { SendResult } from '../send-result';

/** A message that is shown in the development inbox instead of being sent. */
export interface InboxMessage {
  readonly id: string;
  readonly at: string;
  readonly channel: MessageChannel;
  readonly to: string;
  readonly subject?: string;
  readonly text: string;
  readonly html?: string;
}

const MAX_KEPT = 200;

/** The log message for each message in the inbox. */
export const PRINTED = 'No provider is configured, printing the message';

/**
 * Receives messages while no provider is configured: they appear in the log and on the page `/dev/inbox`. Never in
 * production, where only the recipient may read them.
 */
@Injectable()
export class DevInboxService {
  private readonly kept: InboxMessage[] = [];

  constructor(
    private readonly environment: Environment,
    private readonly log: Log,
  ) {}

  get isOffered(): boolean {
    return !this.environment.isProduction;
  }

  /** Throws in production, where calling it is a defect. */
  deliver(message: Omit<InboxMessage, 'at'>): SendResult {
    if (!this.isOffered) throw new Error('The development inbox is not available in production');
    this.kept.unshift({ ...message, at: new Date().toISOString() });
    this.kept.splice(MAX_KEPT);
    this.log.info(PRINTED, { channel: message.channel, to: message.to, text: message.text });
    return { outcome: 'accepted', provider: 'console', providerMessageId: message.id };
  }

  /** Newest first. */
  messages(): readonly InboxMessage[] {
    return this.kept;
  }
}
