import { Injectable } from '@nestjs/common';
import { SharedState, SharedStates } from '../platform/cache';
import { CatalogueEntry } from './catalogue.entity';
import { CatalogueRepository } from './catalogue.repository';
import {
  CatalogueRanks,
  hasStandardRank,
  parsePermissionCode,
  PermissionCode,
  RankedPermission,
  RankSource,
} from './permission';

const ALL = 'all';
const NONE: RankSource = new CatalogueRanks([]);

/** What checks and tokens need of operators' entries: asked at every one, loaded at most once a second. */
@Injectable()
export class CatalogueState {
  private readonly state: SharedState<RankSource>;
  private readonly scopes: SharedState<ReadonlySet<string>>;

  constructor(
    states: SharedStates,
    private readonly entries: CatalogueRepository,
  ) {
    this.state = states.create<RankSource>('catalogue', { maxEntries: 1 });
    this.scopes = states.create<ReadonlySet<string>>('catalogue_scopes', { maxEntries: 1 });
  }

  /** As `ranksFor`, where that needs no wait. */
  peekRanksFor({ action }: Pick<PermissionCode, 'action'>): RankSource | undefined {
    return hasStandardRank(action) ? NONE : this.state.peek(ALL);
  }

  /** What checks of the actions are judged by; only an action without a standard rank costs anything. */
  async ranksFor(...codes: readonly Pick<PermissionCode, 'action'>[]): Promise<RankSource> {
    if (codes.every(({ action }) => hasStandardRank(action))) return NONE;
    return (await this.state.read(ALL, () => this.load())) ?? NONE;
  }

  /** Whether an operator keeps permissions of that scope here. */
  async hasScope(scope: string): Promise<boolean> {
    const scopes = await this.scopes.read(ALL, async () => new Set((await this.entries.findAll()).map(scopeOf)));
    return scopes?.has(scope) ?? false;
  }

  /** To be called in the transaction that changes an entry. */
  async changed(): Promise<void> {
    await this.state.forget(ALL);
    await this.scopes.forget(ALL);
  }

  private async load(): Promise<RankSource> {
    return new CatalogueRanks((await this.entries.findAll()).flatMap(ranked));
  }
}

const scopeOf = ({ scope }: CatalogueEntry): string => scope;

function ranked({ scope, permissionId, requiredLevel }: CatalogueEntry): RankedPermission[] {
  const code = parsePermissionCode(permissionId, scope);
  return code && requiredLevel !== null ? [{ ...code, requiredLevel }] : [];
}
