import { Injectable } from '@nestjs/common';
import { Log } from '../../../platform/logging';
import { SettingsReader } from '../../../platform/settings';
import { CircuitBreaker } from '../circuit-breaker';
import { SmsGatewayName, smsFallbackProvider, smsProvider } from '../delivery.settings';
import { DevInboxService } from '../inbox/dev-inbox.service';
import { DeliveryLimitsService } from '../delivery-limits.service';
import { NOT_SET_UP, SendResult } from '../send-result';
import { SmsSender, TextMessage } from '../sms-sender';
import { SmsGateway } from './sms.gateway';
import { SmsGatewayRegistry } from './sms-gateway.registry';

/** The time that must be left to try the second provider. */
const MIN_MS = 1_000;

/** The circuit breaker of a provider's current configuration. A changed configuration starts a new one. */
interface Line {
  readonly setup: string;
  readonly breaker: CircuitBreaker;
}

/**
 * Sends SMS through the configured provider, and through the fallback provider if the first certainly sent nothing.
 * Uses the development inbox when none is configured outside production.
 */
@Injectable()
export class ConfiguredSmsSenderService extends SmsSender {
  private readonly lines = new Map<SmsGatewayName, Line>();

  constructor(
    private readonly gateways: SmsGatewayRegistry,
    private readonly settings: SettingsReader,
    private readonly inbox: DevInboxService,
    private readonly limits: DeliveryLimitsService,
    private readonly log: Log,
  ) {
    super();
  }

  async isOffered(): Promise<boolean> {
    const [first, second] = await this.chosen();
    if (!first) return this.inbox.isOffered;
    return (await first.isSetUp()) || ((await second?.isSetUp()) ?? false);
  }

  override async isInbox(): Promise<boolean> {
    const [first] = await this.chosen();
    return this.inbox.isOffered && !first;
  }

  async send(text: TextMessage): Promise<SendResult> {
    const start = performance.now();
    const [first, second] = await this.chosen();
    if (!first) return this.show(text);
    const result = await this.ask(first, text, this.limits);
    const leftMs = Math.floor(this.limits.totalMs - (performance.now() - start));
    if (!second || result.outcome !== 'rejected' || leftMs < MIN_MS) return result;
    const { provider, providerCode } = result;
    this.log.warn('Trying the fallback SMS provider', { provider, provider_code: providerCode, next: second.name });
    return this.ask(second, text, { connectMs: Math.min(this.limits.connectMs, leftMs), totalMs: leftMs });
  }

  private async chosen(): Promise<[SmsGateway | undefined, SmsGateway | undefined]> {
    const first = await this.settings.get(smsProvider);
    const second = await this.settings.get(smsFallbackProvider);
    return [this.gateways.find(first), second === first ? undefined : this.gateways.find(second)];
  }

  private async ask(gateway: SmsGateway, text: TextMessage, limits: DeliveryLimitsService): Promise<SendResult> {
    const { breaker } = this.lineTo(gateway.name, await gateway.setup());
    return breaker.run(() => gateway.send(text, limits));
  }

  private lineTo(name: SmsGatewayName, setup: string): Line {
    const known = this.lines.get(name);
    if (known?.setup === setup) return known;
    const line = { setup, breaker: new CircuitBreaker(name) };
    this.lines.set(name, line);
    return line;
  }

  private show({ id, to, text }: TextMessage): SendResult {
    if (!this.inbox.isOffered) return { outcome: 'rejected', provider: 'none', providerCode: NOT_SET_UP };
    return this.inbox.deliver({ id, channel: 'sms', to, text });
  }
}
