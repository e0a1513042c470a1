export { Administrators } from './administrators.service';
export * from './auth.errors';
export * from './auth.module';
export * from './auth.settings';
export { ANNOUNCE_ADMINISTRATOR } from './first-administrator';
export type { AnnounceAdministrator } from './first-administrator';
