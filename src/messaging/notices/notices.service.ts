import { Injectable, OnModuleInit } from '@nestjs/common';
import { ProblemError } from '../../platform/errors';
import { DomainEvents } from '../../platform/jobs/events';
import { defaultLocale, describeDevice, RateLimit, RateLimiterService } from '../../platform/http';
import { isLanguage, Language, TranslatorService } from '../../platform/i18n';
import { Log } from '../../platform/logging';
import { SettingsReader } from '../../platform/settings';
import { accountChanged, AccountEvent, accountsChanged } from '../../users';
import { MessengerService, PhonePrefixAllowlistService } from '../delivery';
import { maskTarget, Message, MessageChannel, messageTime, plainName } from '../message/message';
import { maxHourlyNotices, notifyNewDevice } from './notice.settings';
import { Receiver, receiversOf } from './receivers';

type Values = Message['values'];

const UNKNOWN = 'unknown';
/** Accounts notified at the same time of one act that changed many. */
const CONCURRENCY = 20;
/** Who does not get them may lose the account. */
const UNLIMITED: ReadonlySet<string> = new Set(['deletion_requested', 'deletion_reminder']);
/** Others cause them. They have a separate limit, so that they use up no room for the rest. */
const CAUSED_BY_OTHERS: ReadonlySet<string> = new Set(['membership_pending']);
const LIMIT: RateLimit = { setting: maxHourlyNotices, windowSeconds: 3_600 };

/** Informs users of changes to their account, in their language. Runs after the change has been committed. */
@Injectable()
export class NoticesService implements OnModuleInit {
  constructor(
    private readonly messenger: MessengerService,
    private readonly phonePrefixes: PhonePrefixAllowlistService,
    private readonly settings: SettingsReader,
    private readonly translator: TranslatorService,
    private readonly limiter: RateLimiterService,
    private readonly log: Log,
    private readonly events: DomainEvents,
  ) {}

  onModuleInit(): void {
    this.events.on(accountChanged, (event) => this.notify(event));
    this.events.on(accountsChanged, (changes) => this.notifyAll(changes));
  }

  /** A failing notice does not prevent the others. */
  private async notifyAll(changes: readonly AccountEvent[]): Promise<void> {
    for (let next = 0; next < changes.length; next += CONCURRENCY) {
      const some = changes.slice(next, next + CONCURRENCY);
      const results = await Promise.allSettled(some.map((event) => this.notify(event)));
      for (const [index, result] of results.entries()) {
        if (result.status === 'fulfilled') continue;
        this.log.warn('Notice not sent', { user_id: some[index]?.user.id, err: result.reason as unknown });
      }
    }
  }

  private async notify(event: AccountEvent): Promise<void> {
    if (event.type === 'new_device' && !(await this.settings.get(notifyNewDevice))) return;
    const { locale } = event.user;
    const language = isLanguage(locale) ? locale : await this.settings.get(defaultLocale);
    const values = {
      username: event.user.username,
      time: messageTime(new Date()),
      ...this.particulars(event, language),
    };
    await Promise.all(receiversOf(event).map((receiver) => this.send(event, receiver, { language, values })));
  }

  private async send(
    { type: purpose, user: { id: userId } }: AccountEvent,
    receiver: Receiver,
    message: Pick<Message, 'language' | 'values'>,
  ): Promise<void> {
    if (!(await this.isReached(receiver)) || !(await this.hasRoom(receiver, purpose, userId))) return;
    await this.messenger.send({ ...receiver, ...message, purpose, userId });
  }

  private async isReached({ channel, target }: Receiver): Promise<boolean> {
    return (await this.messenger.isOffered(channel)) && this.phonePrefixes.allows(channel, target);
  }

  private async hasRoom({ channel, target }: Receiver, purpose: string, userId: string): Promise<boolean> {
    if (UNLIMITED.has(purpose)) return true;
    try {
      const contact = `${channel} ${target.toLowerCase()}`;
      await this.limiter.count(LIMIT, CAUSED_BY_OTHERS.has(purpose) ? `${purpose} ${contact}` : contact);
      return true;
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      this.log.warn('Notice not sent: the recipient reached the hourly limit', { channel, purpose, user_id: userId });
      return false;
    }
  }

  private particulars(event: AccountEvent, language: Language): Values {
    switch (event.type) {
      case 'deletion_requested':
      case 'deletion_reminder':
        return { due: messageTime(event.user.deletionDueAt ?? new Date()) };
      case 'email_changed':
        return { contact: this.shown('email', event.user.email, language) };
      case 'phone_changed':
        return { contact: this.shown('sms', event.user.phone, language) };
      case 'webhook_disabled':
        return { webhook: event.webhook };
      case 'acting_started':
        return { actor: event.actor };
      case 'membership_pending':
        return { organization: plainName(event.organization.name, event.organization.slug) };
      case 'new_device':
        return { ip: event.ip, device: this.device(event.userAgent, language) };
      default:
        return {};
    }
  }

  private shown(channel: MessageChannel, contact: string | null, language: Language): string {
    if (contact === null) return this.translator.text(language, 'messages', 'contact.none');
    return maskTarget(channel, contact);
  }

  private device(userAgent: string, language: Language): string {
    const { browser, os } = describeDevice(userAgent);
    const [name, place] = [browser, os].filter((part) => part !== UNKNOWN);
    if (name === undefined) return this.translator.text(language, 'messages', 'device.unknown');
    return place === undefined ? name : `${name} (${place})`;
  }
}
