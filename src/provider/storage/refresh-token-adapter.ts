import type { AdapterPayload } from 'oidc-provider';
import { sha256 } from '../../platform/crypto';
import { errors } from '../engine/library';
import { ArtifactAdapter } from './artifact-adapter';
import { ArtifactRepository, StoredArtifact } from './artifact.repository';
import { Successors } from './successors';

const MODEL = 'RefreshToken';

/** Left on a token by its first use. */
interface Mark {
  /** Of the key that names its successor. */
  readonly successorKey?: string;
}

/**
 * Refresh tokens, each followed by one that only it and the service's key can name: whoever refreshes twice within the
 * grace gets the same successor, and the family never branches. Older ones, or later, are a replay.
 */
export class RefreshTokenAdapter extends ArtifactAdapter {
  constructor(
    artifacts: ArtifactRepository,
    private readonly successors: Successors,
    private readonly graceSeconds: () => Promise<number>,
  ) {
    super(MODEL, artifacts);
  }

  override async consume(id: string): Promise<void> {
    const { key } = this.successors;
    const mark: Mark = { successorKey: key };
    const isFirst = await this.artifacts.consume(MODEL, sha256(id), mark);
    if (!isFirst && (await this.graceSeconds()) === 0) throw new errors.InvalidGrant('refresh token already used');
    this.successors.settle((isFirst ? undefined : await this.keyOf(id)) ?? key);
  }

  protected override async revive(id: string, stored: StoredArtifact): Promise<AdapterPayload> {
    const isForgiven = stored.consumedSeconds !== null && (await this.isForgiven(id, stored, stored.consumedSeconds));
    return super.revive(id, isForgiven ? { ...stored, consumedSeconds: null } : stored);
  }

  private async keyOf(id: string): Promise<string | undefined> {
    const stored = await this.artifacts.find(MODEL, sha256(id));
    return stored && markOf(stored).successorKey;
  }

  private async isForgiven(id: string, stored: StoredArtifact, consumedSeconds: number): Promise<boolean> {
    if (consumedSeconds > (await this.graceSeconds())) return false;
    const name = this.successors.of(id, markOf(stored).successorKey);
    const successor = await this.artifacts.find(MODEL, sha256(name));
    // Not there yet: a refresh that runs beside this one is about to make it.
    return successor?.consumedSeconds == null;
  }
}

const markOf = ({ payload }: StoredArtifact): Mark => payload as Mark;
