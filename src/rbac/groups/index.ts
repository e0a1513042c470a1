export * from './group.entities';
export { GroupLookupService } from './group-lookup.service';
export type { HeldGroup } from './group.repository';
export * from './groups.permissions';
export { ImportedGroupPlan } from './imported-group-plan';
export * from './imported-groups.service';
export * from './user-group.cache';
