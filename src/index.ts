/*
 * What an application that embeds the service may use; nothing else is public.
 */
export { IdentityModule } from './identity.module';
export type {
  HostModule,
  IdentityAsyncOptions,
  IdentityExtensions,
  IdentityOptions,
  IdentityStructure,
  IdentityValues,
} from './identity.options';
export type { AnnounceAdministrator } from './auth';
export type { EnvironmentSource } from './platform/config';
export { createEmbeddedPool, EmbeddedDatabase } from './platform/database';
export { installHttp } from './install-http';
export type { InstallHttpOptions } from './install-http';

// Controllers of the host behind our guard.
export {
  ApiController,
  BeforeFields,
  CurrentCaller,
  CurrentCallerOrMachine,
  DuringEnrolment,
  DuringPasswordChange,
  ForMachines,
  OwnedBy,
  OwnershipRule,
  Public,
  RequirePermission,
  RequireRecentLogin,
  ServiceController,
  SignedIn,
  definePermissions,
} from './platform/access';
export type { OwnershipRuleClass } from './platform/access';
export { contextOf, currentRequest, isMachine } from './platform/context';
export type { Language } from './platform/i18n';
export type { Caller, Machine, RequestContext, RequestOrigin } from './platform/context';

// Their input, and what they refuse.
export {
  BooleanField,
  ChoiceField,
  IdField,
  IdListField,
  IdPipe,
  IntegerField,
  JsonField,
  ListField,
  QueryBooleanField,
  QueryIntegerField,
  TextField,
  TimeField,
} from './platform/input';
export type { FieldOptions, Rule, TextLimits, Violation } from './platform/input';
export { defineErrors, platformErrors, ProblemError } from './platform/errors';
export type { ErrorFactory, FieldProblem, ProblemDefinition, ProblemOptions, ProblemParams } from './platform/errors';
export { ProblemResponses } from './platform/problems';

// Settings that administrators change while the service runs.
export {
  boolean,
  choice,
  defineSetting,
  integer,
  multilineText,
  SettingsReader,
  text,
  textList,
} from './platform/settings';
export type {
  FormerValue,
  Setting,
  SettingDeclaration,
  SettingKind,
  SettingType,
  TextCheck,
} from './platform/settings';

// Ports, each replaced by a class of the host's.
export { KeyValueCache } from './platform/cache';
export type { CounterStep } from './platform/cache';
export { PasswordHasher } from './platform/crypto';
export { Log } from './platform/logging';
export type { LogFields } from './platform/logging';
export type { OutboundAnswer, OutboundRequest } from './platform/outbound';
export { NO_CLAIMS, OAuthProviderAdapter, OPENID_CLAIMS, ProviderCalls, ProviderFailure, tokenAnswer } from './oauth';
export type {
  AuthorizeRequest,
  CallbackRequest,
  ClaimMapping,
  Claims,
  CodeExchange,
  ConfiguredProvider,
  EmailTrust,
  LoginEndpoints,
  ProviderContext,
  ProviderEndpoints,
  ProviderField,
  ProviderPreset,
  TokenAnswer,
} from './oauth';
export { LoginMethod } from './session';
export type { LoginProof, LoginSubject } from './session';
export { AvatarGenerator, UserNames } from './users';
export type { KnownUser, NamedUser } from './users';
export { Mailer, SmsSender } from './verification';
export type { DeliveryOutcome, Mail, MessagePurpose, SendResult, TextMessage } from './verification';

// Events.
export { OnUserCreate, USER_CREATED, UserEvents } from './users';
export type { UserCreated, UserCreatedListener, UserSource } from './users';
