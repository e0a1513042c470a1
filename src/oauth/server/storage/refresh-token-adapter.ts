import type { AdapterPayload } from 'oidc-provider';
import { sha256 } from '../../../platform/crypto';
import { errors } from '../core/library';
import { OidcModelAdapter } from './oidc-model-adapter';
import { StoredOidcModel } from './oidc-model-lookup.repository';
import { OidcModelRepository } from './oidc-model.repository';
import { DerivedRefreshTokensService } from './derived-refresh-tokens.service';

const MODEL = 'RefreshToken';

/** Stored in a token by its first use. */
interface Mark {
  /** The id of the key that derives the successor. */
  readonly successorKey?: string;
}

/**
 * Refresh tokens with derived successors: two refreshes within the grace period get the same successor, so the family
 * never branches. Using an older token, or using it later, is a replay.
 */
export class RefreshTokenAdapter extends OidcModelAdapter {
  constructor(
    artifacts: OidcModelRepository,
    private readonly derivedTokens: DerivedRefreshTokensService,
    private readonly graceSeconds: () => Promise<number>,
  ) {
    super(MODEL, artifacts);
  }

  override async consume(id: string): Promise<void> {
    const { key } = this.derivedTokens;
    const mark: Mark = { successorKey: key };
    const isFirst = await this.artifacts.consume(MODEL, sha256(id), mark);
    if (!isFirst && (await this.graceSeconds()) === 0) throw new errors.InvalidGrant('refresh token already used');
    this.derivedTokens.settle((isFirst ? undefined : await this.keyOf(id)) ?? key);
  }

  protected override async revive(id: string, stored: StoredOidcModel): Promise<AdapterPayload> {
    const isForgiven = stored.consumedSeconds !== null && (await this.isForgiven(id, stored, stored.consumedSeconds));
    return super.revive(id, isForgiven ? { ...stored, consumedSeconds: null } : stored);
  }

  private async keyOf(id: string): Promise<string | undefined> {
    const stored = await this.artifacts.find(MODEL, sha256(id));
    return stored && markOf(stored).successorKey;
  }

  private async isForgiven(id: string, stored: StoredOidcModel, consumedSeconds: number): Promise<boolean> {
    if (consumedSeconds > (await this.graceSeconds())) return false;
    const name = this.derivedTokens.derive(id, markOf(stored).successorKey);
    const successor = await this.artifacts.find(MODEL, sha256(name));
    // A missing successor is fine: a concurrent refresh is about to create it.
    return successor?.consumedSeconds == null;
  }
}

const markOf = ({ payload }: StoredOidcModel): Mark => payload as Mark;
