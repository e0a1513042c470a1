export { OAuthClient } from './clients/client.entity';
export { OAuthConsent } from './consents/consent.entity';
export { MachineTokens } from './machine-tokens';
export { OAuthKeys } from './oauth-keys';
export * from './provider.module';
export { OAuthArtifact } from './storage/artifact.entity';
export { LogoutNoticeRow } from './storage/logout-notice.entity';
