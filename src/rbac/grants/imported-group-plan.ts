import { MAX_GROUP_DEPTH } from './group-depth';
import { groupNameKey, isGroupName, MAX_GROUP_NAME } from './group-name';

/** A group in the database. */
export interface StoredGroup {
  readonly id: string;
  readonly name: string;
  readonly parentId: string | null;
  /** Whether it has roles itself. */
  readonly hasRoles: boolean;
}

export interface PlannedGroup extends StoredGroup {
  /** Ids from the group at the top to this one. */
  readonly path: readonly string[];
}

const isUsable = (name: string): boolean => Array.from(name).length <= MAX_GROUP_NAME && isGroupName(name);

/** Whether a path has the form of one here, so that the database may be asked for its names. */
export const isGroupPath = (names: readonly string[]): boolean =>
  names.length >= 1 && names.length <= MAX_GROUP_DEPTH && names.every(isUsable);

/** Plans the groups of an import by the names on their paths. Names are unique, so the first path with a name keeps it. */
export class ImportedGroupPlan {
  private readonly stored = new Map<string, StoredGroup>();
  private readonly planned = new Map<string, PlannedGroup>();
  private unwritten: PlannedGroup[] = [];

  constructor(private readonly newId: () => string) {}

  /** Adds the state of the database. */
  learn(groups: readonly StoredGroup[]): void {
    for (const group of groups) this.stored.set(groupNameKey(group.name), group);
  }

  /**
   * The group at the end of the path, with those above it planned if they do not exist. Undefined if the path is no valid
   * one here, if a name on it belongs to a group elsewhere, or if a group on it has roles, which an import must not give.
   */
  place(names: readonly string[]): PlannedGroup | undefined {
    if (!isGroupPath(names)) return undefined;
    const onPath: PlannedGroup[] = [];
    for (const name of names) {
      const group = this.below(onPath, name);
      if (!group) return undefined;
      onPath.push(group);
    }
    const made = onPath.filter(({ name }) => this.find(name) === undefined);
    for (const group of made) this.planned.set(groupNameKey(group.name), group);
    this.unwritten.push(...made);
    return onPath.at(-1);
  }

  /** The groups planned since the last call, each after the one above it. */
  takeNew(): readonly PlannedGroup[] {
    const made = this.unwritten;
    this.unwritten = [];
    return made;
  }

  private below(onPath: readonly PlannedGroup[], name: string): PlannedGroup | undefined {
    const above = onPath.at(-1);
    const parentId = above?.id ?? null;
    const known = this.find(name) ?? onPath.find((group) => groupNameKey(group.name) === groupNameKey(name));
    if (known && (known.parentId !== parentId || known.hasRoles)) return undefined;
    const group = known ?? { id: this.newId(), name, parentId, hasRoles: false };
    return { ...group, path: [...(above?.path ?? []), group.id] };
  }

  private find(name: string): StoredGroup | undefined {
    return this.planned.get(groupNameKey(name)) ?? this.stored.get(groupNameKey(name));
  }
}
