import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { SettingsReader } from '../../../platform/settings';
import { CircuitBreaker } from '../circuit-breaker';
import { DevInboxService } from '../inbox/dev-inbox.service';
import { DeliveryLimitsService } from '../delivery-limits.service';
import { Mail, Mailer } from '../mailer';
import { NOT_SET_UP, SendResult } from '../send-result';
import { readSmtpAccount, SmtpAccount } from './smtp-account';
import { SmtpTransport } from './smtp-transport';

interface Line {
  /** The configured account as text, to notice changes. */
  readonly account: string;
  readonly transport: SmtpTransport;
  readonly breaker: CircuitBreaker;
}

/** Sends mail to the configured server, or to the development inbox when none is configured outside production. */
@Injectable()
export class ConfiguredMailerService extends Mailer implements OnApplicationShutdown {
  private line: Line | undefined;
  private isClosing = false;

  constructor(
    private readonly settings: SettingsReader,
    private readonly inbox: DevInboxService,
    private readonly limits: DeliveryLimitsService,
  ) {
    super();
  }

  async isOffered(): Promise<boolean> {
    if (await readSmtpAccount(this.settings)) return true;
    return this.inbox.isOffered;
  }

  override async isInbox(): Promise<boolean> {
    return this.inbox.isOffered && !(await readSmtpAccount(this.settings));
  }

  async send(mail: Mail): Promise<SendResult> {
    const account = await readSmtpAccount(this.settings);
    if (account) {
      const { breaker, transport } = this.lineTo(account);
      const result = await breaker.run(() => transport.send(mail));
      if (this.isClosing) transport.close();
      return result;
    }
    if (!this.inbox.isOffered) return { outcome: 'rejected', provider: 'none', providerCode: NOT_SET_UP };
    const { id, to, subject, text, html } = mail;
    return this.inbox.deliver({ id, channel: 'email', to, subject, text, ...(html !== undefined && { html }) });
  }

  /** Mail sent during the shutdown uses separate connections that are not pooled. */
  onApplicationShutdown(): void {
    this.isClosing = true;
    this.line?.transport.close();
    this.line = undefined;
  }

  private lineTo(account: SmtpAccount): Line {
    const name = JSON.stringify(account);
    if (this.line?.account === name) return this.line;
    const transport = new SmtpTransport(account, { limits: this.limits });
    const line = { account: name, transport, breaker: new CircuitBreaker('smtp') };
    if (this.isClosing) return line;
    this.line?.transport.close();
    this.line = line;
    return line;
  }
}
