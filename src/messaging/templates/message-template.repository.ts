import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CASTELLAN, Transactions } from '../../platform/database';
import { MessageTemplateVersion } from './message-template.entity';
import { TemplateContent, TemplateKey } from './template';

export interface TemplateChange {
  readonly key: TemplateKey;
  readonly version: number;
  /** null: the default. */
  readonly content: TemplateContent | null;
  readonly changedBy: string | null;
  readonly reason: string | null;
}

const DEFAULT = { subject: null, text: null, html: null, providerTemplate: null };

@Injectable()
export class MessageTemplateRepository {
  constructor(
    @InjectRepository(MessageTemplateVersion, CASTELLAN) private readonly versions: Repository<MessageTemplateVersion>,
    private readonly transactions: Transactions,
  ) {}

  /** The latest version. null: never changed. */
  findLatest({ channel, purpose, locale }: TemplateKey): Promise<MessageTemplateVersion | null> {
    return this.versions.findOne({
      where: { channel, purpose, locale },
      order: { version: 'DESC' },
    });
  }

  /** The latest version of each changed template. */
  findAllLatest(): Promise<MessageTemplateVersion[]> {
    return this.versions
      .createQueryBuilder('template')
      .distinctOn(['template.channel', 'template.purpose', 'template.locale'])
      .orderBy('template.channel')
      .addOrderBy('template.purpose')
      .addOrderBy('template.locale')
      .addOrderBy('template.version', 'DESC')
      .getMany();
  }

  findVersion({ channel, purpose, locale }: TemplateKey, version: number): Promise<MessageTemplateVersion | null> {
    return this.versions.findOneBy({ channel, purpose, locale, version });
  }

  /** Newest first. */
  history({ channel, purpose, locale }: TemplateKey, limit: number): Promise<MessageTemplateVersion[]> {
    return this.versions.find({
      where: { channel, purpose, locale },
      order: { version: 'DESC' },
      take: limit,
    });
  }

  /** Serializes template changes until the transaction ends. Reads continue. SQL: a table lock. */
  async lock(): Promise<void> {
    await this.transactions.manager.query('LOCK TABLE message_template IN SHARE ROW EXCLUSIVE MODE');
  }

  /** Inserts the next version, in a transaction that holds `lock`. */
  async insert({ key, version, content, changedBy, reason }: TemplateChange): Promise<void> {
    await this.versions.insert({
      ...key,
      version,
      ...(content ?? DEFAULT),
      changedBy,
      reason,
    });
  }
}
