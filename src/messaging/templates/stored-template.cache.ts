import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit';
import type { TemplateAct } from './message-template.acts';
import { CacheFactory, ReadThroughCache } from '../../platform/cache';
import { actingUserId } from '../../platform/context';
import { Transactions } from '../../platform/database';
import { platformErrors } from '../../platform/errors';
import { DefaultTemplatesService } from './default-templates.service';
import { MessageTemplateVersion } from './message-template.entity';
import { MessageTemplateRepository, TemplateChange } from './message-template.repository';
import { TemplateAddress, TemplateContent, TemplateKey } from './template';

export interface TemplateWrite {
  readonly key: TemplateKey;
  /** null: restores the default. */
  readonly content: TemplateContent | null;
  /** The version that the change is based on. `version_conflict` if it is no longer the latest. */
  readonly against?: number | undefined;
  readonly reason?: string | undefined;
  readonly act: TemplateAct;
}

const NEVER_CHANGED = 'never changed';

/** The stored templates: versions of each template, cached for a second. */
@Injectable()
export class StoredTemplateCache {
  private readonly state: ReadThroughCache<MessageTemplateVersion | typeof NEVER_CHANGED>;

  constructor(
    private readonly transactions: Transactions,
    private readonly repository: MessageTemplateRepository,
    private readonly defaults: DefaultTemplatesService,
    private readonly audit: AuditService,
    caches: CacheFactory,
  ) {
    this.state = caches.create('message_template', { maxEntries: 1_000 });
  }

  /** The current content. */
  async effective(key: TemplateKey): Promise<TemplateContent> {
    const latest = await this.state.get(
      nameOf(key),
      async () => (await this.repository.findLatest(key)) ?? NEVER_CHANGED,
    );
    return (typeof latest === 'object' && contentOf(latest)) || this.defaults.get(key);
  }

  /** Errors: `version_conflict`. */
  write({ key, content, against, reason, act }: TemplateWrite): Promise<MessageTemplateVersion> {
    return this.transactions.run(async () => {
      await this.repository.lock();
      const before = await this.repository.findLatest(key);
      const version = before?.version ?? 0;
      if (against !== undefined && against !== version) throw platformErrors.versionConflict();
      const after = await this.put({
        key,
        version: version + 1,
        content,
        changedBy: actingUserId(),
        reason: reason ?? null,
      });
      await this.audit.record(act, {
        target: { type: 'message_template', id: nameOf(key) },
        before: this.audited(key, before),
        after: this.audited(key, after),
        ...(reason !== undefined && { reason }),
      });
      await this.state.invalidate(nameOf(key));
      return after;
    });
  }

  private async put(change: TemplateChange): Promise<MessageTemplateVersion> {
    await this.repository.insert(change);
    const stored = await this.repository.findVersion(change.key, change.version);
    if (!stored) throw new Error(`Version ${change.version} of ${nameOf(change.key)} was not stored`);
    return stored;
  }

  private audited(key: TemplateKey, row: MessageTemplateVersion | null): object {
    const { providerTemplate, ...texts } = (row && contentOf(row)) ?? this.defaults.get(key);
    return { ...texts, provider_template: providerTemplate, version: row?.version ?? 0 };
  }
}

/** `<channel>/<purpose>/<locale>`, as in the URL. */
export const nameOf = ({ channel, purpose, locale }: TemplateAddress): string => `${channel}/${purpose}/${locale}`;

/** null: the default. */
export function contentOf({ subject, text, html, providerTemplate }: MessageTemplateVersion): TemplateContent | null {
  return text === null ? null : { subject, text, html, providerTemplate };
}
