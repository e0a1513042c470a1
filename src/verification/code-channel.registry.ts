import { Injectable } from '@nestjs/common';
import { SettingsReader } from '../platform/settings';
import { MessengerService, MessageChannel, messageChannels } from '../messaging';
import { DISABLED, maxDailyCodes } from './code.settings';

/** Which channels can send codes with the current settings. */
@Injectable()
export class CodeChannelRegistry {
  constructor(
    private readonly settings: SettingsReader,
    private readonly messenger: MessengerService,
  ) {}

  /** Whether codes are enabled. */
  async isOn(): Promise<boolean> {
    return (await this.settings.get(maxDailyCodes)) !== DISABLED;
  }

  async isOffered(channel: MessageChannel): Promise<boolean> {
    return (await this.isOn()) && this.messenger.isOffered(channel);
  }

  offered(): Promise<MessageChannel[]> {
    return channelsThat((channel) => this.isOffered(channel));
  }

  /** The channels whose messages are not sent, but only shown at `/dev/inbox`. */
  listInboxes(): Promise<MessageChannel[]> {
    return channelsThat((channel) => this.messenger.isInbox(channel));
  }
}

async function channelsThat(pass: (channel: MessageChannel) => Promise<boolean>): Promise<MessageChannel[]> {
  const answers = await Promise.all(messageChannels.map(async (channel) => ((await pass(channel)) ? [channel] : [])));
  return answers.flat();
}
