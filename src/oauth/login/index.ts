export { AccountLinkToken } from './flow/account-link-token.entity';
export { AuthorizationRequest } from './flow/authorization-request.entity';
export { interactionIn } from './flow/pending-interaction';
export { Identity, IdentitySubject } from './identities/identity.entity';
export * from './identities/imported-identities.service';
export * from './third-party-login.errors';
export * from './third-party-login.module';
export * from './providers';
