import { Injectable } from '@nestjs/common';
import { CacheFactory, Snapshot } from '../../platform/cache';
import { andThen, MaybePromise } from '../../platform/util';
import { CatalogueEntry } from './catalogue.entity';
import { CatalogueRepository } from './catalogue.repository';
import {
  CatalogueRanks,
  GrantSet,
  hasStandardRank,
  parsePermissionCode,
  PermissionCode,
  RankedPermission,
  RankSource,
} from '.';

const NONE: RankSource = new CatalogueRanks([]);

export interface CatalogueEntries {
  readonly ranks: RankSource;
  readonly codes: readonly PermissionCode[];
}

const NO_ENTRIES: CatalogueEntries = { ranks: NONE, codes: [] };

interface KnownEntries extends CatalogueEntries {
  readonly scopes: ReadonlySet<string>;
}

/** Operators' catalogue entries for checks and tokens. Every check reads them, and they load at most once a second. */
@Injectable()
export class CatalogueCache {
  private readonly known: Snapshot<KnownEntries>;

  constructor(
    caches: CacheFactory,
    private readonly entries: CatalogueRepository,
  ) {
    this.known = caches.createSnapshot('catalogue', () => this.load());
  }

  /** The ranks to evaluate the actions with. Only an action without a standard rank needs a load. */
  ranksFor(...codes: readonly Pick<PermissionCode, 'action'>[]): MaybePromise<RankSource> {
    if (codes.every(({ action }) => hasStandardRank(action))) return NONE;
    return andThen(this.known.get(), ({ ranks }) => ranks);
  }

  /** The ranks and codes that pages may need for the grants. */
  entriesFor({ dependsOnCatalogue }: GrantSet): MaybePromise<CatalogueEntries> {
    return dependsOnCatalogue ? this.known.get() : NO_ENTRIES;
  }

  /** Whether the catalogue holds operators' permissions of the scope. */
  async hasScope(scope: string): Promise<boolean> {
    return (await this.known.get()).scopes.has(scope);
  }

  /** The permissions that operators added. */
  async codes(): Promise<readonly PermissionCode[]> {
    return (await this.known.get()).codes;
  }

  /** Call in the transaction that changes an entry. */
  invalidate(): Promise<void> {
    return this.known.invalidate();
  }

  private async load(): Promise<KnownEntries> {
    const entries = await this.entries.findAll();
    return {
      ranks: new CatalogueRanks(entries.flatMap(ranked)),
      codes: entries.flatMap(({ scope, permissionId }) => parsePermissionCode(permissionId, scope) ?? []),
      scopes: new Set(entries.map(({ scope }) => scope)),
    };
  }
}

function ranked({ scope, permissionId, requiredLevel }: CatalogueEntry): RankedPermission[] {
  const code = parsePermissionCode(permissionId, scope);
  return code && requiredLevel !== null ? [{ ...code, requiredLevel }] : [];
}
