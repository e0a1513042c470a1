export * from '../grants/group.entities';
export { GroupLookupService } from './group-lookup.service';
export type { HeldGroup } from '../grants/group.repository';
export * from './groups.permissions';
export { ImportedGroupPlan } from '../grants/imported-group-plan';
export * from './imported-groups.service';
export * from '../grants/user-group.cache';
