import type { AdapterPayload } from 'oidc-provider';
import { ProtocolLimiter } from '../engine/protocol-limiter';
import { visitorsPerMinutePerAddress } from '../provider.settings';
import { ArtifactAdapter } from './artifact-adapter';
import { ArtifactRepository } from './artifact.repository';

const LIMIT = { setting: visitorsPerMinutePerAddress, windowSeconds: 60 };

/** What anybody's browser can make the service keep: so much of it for each address, and no more. */
export class VisitorAdapter extends ArtifactAdapter {
  constructor(
    model: string,
    artifacts: ArtifactRepository,
    private readonly limiter: ProtocolLimiter,
  ) {
    super(model, artifacts);
  }

  override async upsert(id: string, payload: AdapterPayload, seconds?: number): Promise<void> {
    // The one login state of a session is bounded by the sessions.
    if (this.model === 'Interaction' || payload.accountId === undefined) await this.limiter.count(LIMIT);
    await super.upsert(id, payload, seconds);
  }
}
