import type { AdapterPayload } from 'oidc-provider';
import { sha256 } from '../../platform/crypto';
import { errors } from '../engine/library';
import { ArtifactAdapter } from './artifact-adapter';
import { ArtifactRepository, StoredArtifact } from './artifact.repository';

const MODEL = 'RefreshToken';

export interface RefreshRules {
  graceSeconds(): Promise<number>;
  /** The one token that can follow this one. */
  successorOf(token: string): string;
}

/**
 * Refresh tokens, each followed by one that only it and the service's key can name: whoever refreshes twice within the
 * grace gets the same successor, and the family never branches. Older ones, or later, are a replay.
 */
export class RefreshTokenAdapter extends ArtifactAdapter {
  constructor(
    artifacts: ArtifactRepository,
    private readonly rules: RefreshRules,
  ) {
    super(MODEL, artifacts);
  }

  override async consume(id: string): Promise<void> {
    if (await this.artifacts.consume(MODEL, sha256(id))) return;
    if ((await this.rules.graceSeconds()) === 0) throw new errors.InvalidGrant('refresh token already used');
  }

  protected override async revive(id: string, stored: StoredArtifact): Promise<AdapterPayload> {
    const isForgiven = stored.consumedSeconds !== null && (await this.isForgiven(id, stored.consumedSeconds));
    return super.revive(id, isForgiven ? { ...stored, consumedSeconds: null } : stored);
  }

  private async isForgiven(id: string, consumedSeconds: number): Promise<boolean> {
    if (consumedSeconds > (await this.rules.graceSeconds())) return false;
    const successor = await this.artifacts.find(MODEL, sha256(this.rules.successorOf(id)));
    // Not there yet: a refresh that runs beside this one is about to make it.
    return successor?.consumedSeconds == null;
  }
}
