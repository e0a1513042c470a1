import { Injectable } from '@nestjs/common';
import { SettingsReader } from '../../platform/settings';
import { MessageChannel } from '../message/message';
import { allowedPrefixes } from './delivery.settings';

/** Limits SMS to the countries that the operator serves, against fraud with premium-rate numbers. */
@Injectable()
export class PhonePrefixAllowlistService {
  constructor(private readonly settings: SettingsReader) {}

  /** @param target normalized. E-mail is always allowed. */
  async allows(channel: MessageChannel, target: string): Promise<boolean> {
    if (channel !== 'sms') return true;
    const prefixes = await this.settings.get(allowedPrefixes);
    return prefixes.length === 0 || prefixes.some((prefix) => target.startsWith(prefix));
  }
}
