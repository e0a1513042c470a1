import { Injectable } from '@nestjs/common';
import { SettingsReader } from '../../platform/settings';
import { MessageChannel } from '../message';
import { allowedPrefixes } from './code.settings';

/** Which phone numbers texts are sent to: nobody earns by messages to a country that is not served. */
@Injectable()
export class ServedNumbers {
  constructor(private readonly settings: SettingsReader) {}

  /** @param target in its compared form. Mail goes everywhere. */
  async serve(channel: MessageChannel, target: string): Promise<boolean> {
    if (channel !== 'sms') return true;
    const prefixes = await this.settings.get(allowedPrefixes);
    return prefixes.length === 0 || prefixes.some((prefix) => target.startsWith(prefix));
  }
}
