export * from './authority.service';
export * from './grant.entities';
export * from './permission';
export * from './permissions.service';
export * from './rbac.errors';
export * from './rbac.module';
export * from './role.entity';
export * from './roles.service';
export { ADMIN_ROLE, USER_ROLE } from './system-roles';
