import type { AdapterPayload } from 'oidc-provider';
import { sha256 } from '../../../platform/crypto';
import { errors } from '../core/library';
import { ProtocolLimiterService } from '../core/protocol-limiter.service';
import { visitorsPerMinutePerAddress } from '../core/authorization-server.settings';
import { OidcModelAdapter } from './oidc-model-adapter';
import { OidcModelRepository } from './oidc-model.repository';

const LIMIT = { setting: visitorsPerMinutePerAddress, windowSeconds: 60 };

/** Stores entries of anonymous browsers, limited per address. */
export class AnonymousAdapter extends OidcModelAdapter {
  constructor(
    model: string,
    artifacts: OidcModelRepository,
    private readonly limiter: ProtocolLimiterService,
  ) {
    super(model, artifacts);
  }

  override async upsert(id: string, payload: AdapterPayload, seconds?: number): Promise<void> {
    // Each session has only one library session, so the number of sessions limits these.
    if (this.model === 'Interaction' || payload.accountId === undefined) await this.limiter.count(LIMIT);
    await super.upsert(id, payload, seconds);
  }

  /** An interaction continues only once, also for concurrent requests. Errors: `SessionNotFound`. */
  override async destroy(id: string): Promise<void> {
    const isFirst = await this.artifacts.delete(this.model, sha256(id));
    if (!isFirst && this.model === 'Interaction') throw new errors.SessionNotFound('interaction session not found');
  }
}
