import { PermissionCode } from './permission-code';
import { PermissionLevel, RankSource } from './permission-level';

/** A catalogue entry with the level that its action needs. */
export interface RankedPermission extends PermissionCode {
  readonly requiredLevel: PermissionLevel;
}

/** The catalogue's levels, by exact code. Of two entries for one code the higher level wins. */
export class CatalogueRanks implements RankSource {
  private readonly scopes = new Map<string, Map<string, Map<string, PermissionLevel>>>();

  constructor(entries: Iterable<RankedPermission>) {
    for (const entry of entries) this.add(entry);
  }

  requiredLevel(code: PermissionCode): PermissionLevel | undefined {
    return this.scopes.get(code.scope)?.get(code.resource)?.get(code.action);
  }

  private add(entry: RankedPermission): void {
    const resources = this.scopes.get(entry.scope) ?? new Map<string, Map<string, PermissionLevel>>();
    const actions = resources.get(entry.resource) ?? new Map<string, PermissionLevel>();
    const known = actions.get(entry.action);
    if (known === undefined || known < entry.requiredLevel) actions.set(entry.action, entry.requiredLevel);
    this.scopes.set(entry.scope, resources.set(entry.resource, actions));
  }
}
