import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/config';
import { Setting, SettingsReader } from '../../../platform/settings';
import { SmsGatewayName } from '../delivery.settings';
import { DeliveryLimitsService } from '../delivery-limits.service';
import { NOT_SET_UP, SendResult } from '../send-result';
import { TextMessage } from '../sms-sender';
import { failedExchange, HttpAnswer, HttpPost, post } from './http-exchange';

/** A provider that the settings can select. */
@Injectable()
export abstract class SmsGateway {
  abstract readonly name: SmsGatewayName;
  /** The settings of this provider. */
  protected abstract readonly own: Readonly<Record<string, Setting<string>>>;

  constructor(
    protected readonly settings: SettingsReader,
    private readonly environment: Environment,
  ) {}

  /** Whether the settings are complete. */
  abstract isSetUp(): Promise<boolean>;

  /** The configuration as text, to notice changes. */
  async setup(): Promise<string> {
    const values = await Promise.all(Object.values(this.own).map(async (setting) => this.settings.get(setting)));
    return JSON.stringify(values);
  }

  /** Calls the provider once, within the limits. Never throws for a failure of the provider. */
  async send(text: TextMessage, limits: DeliveryLimitsService): Promise<SendResult> {
    const request = await this.request(text);
    if (!request) return this.result('rejected', { providerCode: NOT_SET_UP });
    const { answer, failure } = await post(request, limits);
    return answer ? this.read(answer) : failedExchange(this.name, failure);
  }

  /** The request to send. Undefined if the settings or the template are incomplete. */
  protected abstract request(text: TextMessage): Promise<HttpPost | undefined>;

  protected abstract read(answer: HttpAnswer): SendResult;

  protected result(outcome: SendResult['outcome'], more: Partial<SendResult> = {}): SendResult {
    return { outcome, provider: this.name, ...more };
  }

  /** Rejects unencrypted URLs in production. */
  protected allowed(url: URL | undefined): URL | undefined {
    return url?.protocol === 'http:' && this.environment.isProduction ? undefined : url;
  }
}
