export { BindTicketRow } from './flow/bind-ticket.entity';
export { LoginState } from './flow/login-state.entity';
export { Identity, IdentitySubject } from './identities/identity.entity';
export * from './identities/imported-identities';
export * from './oauth.errors';
export * from './oauth.module';
export * from './providers';
