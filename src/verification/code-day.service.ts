import { Injectable } from '@nestjs/common';
import { SettingsReader } from '../platform/settings';
import { CodeDay } from './code-target.repository';
import { codeDayStartsAt, timeZone } from './code.settings';

/** The day of the daily limits of codes. */
@Injectable()
export class CodeDayService {
  constructor(private readonly settings: SettingsReader) {}

  async current(): Promise<CodeDay> {
    return { startsAt: await this.settings.get(codeDayStartsAt), timeZone: await this.settings.get(timeZone) };
  }
}
