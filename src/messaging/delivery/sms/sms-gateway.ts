import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/config';
import { Setting, SettingsReader } from '../../../platform/settings';
import { SmsGatewayName } from '../delivery.settings';
import { DeliveryLimitsService } from '../delivery-limits.service';
import { NOT_SET_UP, SendResult } from '../send-result';
import { TextMessage } from '../sms-sender';
import { failedExchange, HttpAnswer, HttpPost, post } from './http-exchange';

/** A provider that the settings can choose. */
@Injectable()
export abstract class SmsGateway {
  abstract readonly name: SmsGatewayName;
  /** All that it is set up by. */
  protected abstract readonly own: Readonly<Record<string, Setting<string>>>;

  constructor(
    protected readonly settings: SettingsReader,
    private readonly environment: Environment,
  ) {}

  /** Whether the settings say all that is needed. */
  abstract isSetUp(): Promise<boolean>;

  /** To see when it is set up otherwise. */
  async setup(): Promise<string> {
    const values = await Promise.all(Object.values(this.own).map(async (setting) => this.settings.get(setting)));
    return JSON.stringify(values);
  }

  /** Asks the provider once, within the limits; never throws for what it did. */
  async send(text: TextMessage, limits: DeliveryLimitsService): Promise<SendResult> {
    const request = await this.request(text);
    if (!request) return this.result('rejected', { providerCode: NOT_SET_UP });
    const { answer, failure } = await post(request, limits);
    return answer ? this.read(answer) : failedExchange(this.name, failure);
  }

  /** What to post; undefined where the settings, or the template, do not say all that is needed. */
  protected abstract request(text: TextMessage): Promise<HttpPost | undefined>;

  protected abstract read(answer: HttpAnswer): SendResult;

  protected result(outcome: SendResult['outcome'], more: Partial<SendResult> = {}): SendResult {
    return { outcome, provider: this.name, ...more };
  }

  /** Where texts may be sent in the clear: outside production. */
  protected allowed(url: URL | undefined): URL | undefined {
    return url?.protocol === 'http:' && this.environment.isProduction ? undefined : url;
  }
}
