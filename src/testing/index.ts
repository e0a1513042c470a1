/* For tests of applications that embed the service. Do not use any of it in production. */
export { QuickHasher } from './quick-hasher';
export { RecordingLog } from './recording-log';
export type { RecordedLine } from './recording-log';
export { TestClient } from './test-client';
export type { Answer, Method, Problem, SendOptions } from './test-client';
export { openTestDatabase } from './test-database';
export type { TestDatabase } from './test-database';
export { TEST_ENVIRONMENT, TEST_KEYS, TestIdentity, testOptions } from './test-identity';
export type { TestIdentityOptions } from './test-identity';
export { ADMIN, PASSWORD, TestPeople } from './test-people';
export type { Grant } from './test-people';

// The contracts of the ports, as cases for any test runner.
export type { ContractCase, Make, UnderTest } from './contracts/contract-case';
export { avatarGeneratorContract } from './contracts/avatar-generator.contract';
export type { AvatarsUnderTest } from './contracts/avatar-generator.contract';
export { avatarPicturesContract } from './contracts/avatar-pictures.contract';
export type { PicturesUnderTest } from './contracts/avatar-pictures.contract';
export { keyValueCacheContract } from './contracts/key-value-cache.contract';
export type { CacheUnderTest } from './contracts/key-value-cache.contract';
export { logContract } from './contracts/log.contract';
export type { LogUnderTest } from './contracts/log.contract';
export { loginMethodContract } from './contracts/login-method.contract';
export type { LoginMethodUnderTest } from './contracts/login-method.contract';
export { mailerContract, smsSenderContract } from './contracts/messages.contract';
export type { SenderUnderTest } from './contracts/messages.contract';
export { oauthProviderAdapterContract } from './contracts/oauth-provider-adapter.contract';
export type { AdapterUnderTest } from './contracts/oauth-provider-adapter.contract';
export { ownershipRuleContract } from './contracts/ownership-rule.contract';
export type { OwnershipUnderTest } from './contracts/ownership-rule.contract';
export { passwordHasherContract } from './contracts/password-hasher.contract';
export type { HasherUnderTest } from './contracts/password-hasher.contract';
export { userCreatedListenerContract } from './contracts/user-created-listener.contract';
export type { ListenerUnderTest } from './contracts/user-created-listener.contract';
