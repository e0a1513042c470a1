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

interface KnownEntries {
  readonly ranks: RankSource;
  readonly scopes: ReadonlySet<string>;
}

/** What checks and tokens need of operators' entries: asked at every one, loaded at most once a second. */
@Injectable()
export class CatalogueState {
  private readonly state: SharedState<KnownEntries>;

  constructor(
    states: SharedStates,
    private readonly entries: CatalogueRepository,
  ) {
    this.state = states.create<KnownEntries>('catalogue', { maxEntries: 1 });
  }

  /** As `ranksFor`, where that needs no wait. */
  peekRanksFor({ action }: Pick<PermissionCode, 'action'>): RankSource | undefined {
    return hasStandardRank(action) ? NONE : this.state.peek(ALL)?.ranks;
  }

  /** What checks of the actions are judged by; only an action without a standard rank costs anything. */
  async ranksFor(...codes: readonly Pick<PermissionCode, 'action'>[]): Promise<RankSource> {
    if (codes.every(({ action }) => hasStandardRank(action))) return NONE;
    return (await this.known())?.ranks ?? NONE;
  }

  /** Whether an operator keeps permissions of that scope here. */
  async hasScope(scope: string): Promise<boolean> {
    return (await this.known())?.scopes.has(scope) ?? false;
  }

  /** To be called in the transaction that changes an entry. */
  changed(): Promise<void> {
    return this.state.forget(ALL);
  }

  private known(): Promise<KnownEntries | undefined> {
    return this.state.read(ALL, () => this.load());
  }

  private async load(): Promise<KnownEntries> {
    const entries = await this.entries.findAll();
    return { ranks: new CatalogueRanks(entries.flatMap(ranked)), scopes: new Set(entries.map(({ scope }) => scope)) };
  }
}

function ranked({ scope, permissionId, requiredLevel }: CatalogueEntry): RankedPermission[] {
  const code = parsePermissionCode(permissionId, scope);
  return code && requiredLevel !== null ? [{ ...code, requiredLevel }] : [];
}
