export { IdentityModule } from './identity.module';
export type {
  HostModule,
  IdentityAsyncOptions,
  IdentityExtensions,
  IdentityOptions,
  IdentityStructure,
  IdentityValues,
} from './identity.options';
export { installHttp } from './install-http';
export type { InstallHttpOptions } from './install-http';
