import { Injectable } from '@nestjs/common';
import { SettingsReader } from '../../platform/settings';
import { MessageChannel } from '../message';
import { allowedPrefixes } from './delivery.settings';

/** Limits SMS to the countries that an operator serves, so that messages to premium numbers abroad earn nothing. */
@Injectable()
export class PhonePrefixAllowlistService {
  constructor(private readonly settings: SettingsReader) {}

  /** @param target in its normalized form. Mail is always allowed. */
  async allows(channel: MessageChannel, target: string): Promise<boolean> {
    if (channel !== 'sms') return true;
    const prefixes = await this.settings.get(allowedPrefixes);
    return prefixes.length === 0 || prefixes.some((prefix) => target.startsWith(prefix));
  }
}
