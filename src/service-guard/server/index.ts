export * from './remote-guard.module';
export { remoteGuardPermissions } from './remote-guard.permissions';
