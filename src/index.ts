/* The public API for applications that embed the service. Nothing else is public. */
export { IdentityModule, installHttp } from './identity';
export type {
  HostModule,
  IdentityAsyncOptions,
  IdentityExtensions,
  IdentityOptions,
  IdentityStructure,
  IdentityValues,
  InstallHttpOptions,
} from './identity';
export type { AnnounceAdministrator } from './auth';
export type { EnvironmentSource } from './platform/config';
export { createEmbeddedPool, EmbeddedDatabase } from './platform/database';

// Controllers of the host behind our guard.
export {
  ApiController,
  PreValidationGuards,
  CurrentCaller,
  CurrentCallerOrClient,
  AllowDuring,
  AllowClients,
  AllowWhileActing,
  InOrganization,
  OwnedBy,
  OwnershipRule,
  Public,
  RequirePermission,
  RequireRecentLogin,
  ServiceController,
  Authenticated,
  definePermissions,
  IdentityGuarded,
} from './platform/access';
export { hostModules, isServiceRoute } from './platform/http';
export type { OrganizationRule, OwnershipRuleClass } from './platform/access';
export { contextOf, currentRequest, isOAuthClient } from './platform/context';
export type { Language } from './platform/i18n';
export type { ActingUser, Caller, OAuthClientPrincipal, RequestContext, RequestOrigin } from './platform/context';

// Their input and their errors.
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
  UncheckedInput,
} from './platform/http/input';
export type { FieldOptions, FieldValidator, TextLimits, Violation } from './platform/http/input';
export { defineErrors, defineProblem, platformErrors, ProblemError } from './platform/errors';
export type {
  ErrorFactory,
  FieldProblem,
  ProblemDeclaration,
  ProblemDefinition,
  ProblemOptions,
  ProblemParams,
  ProblemTexts,
} from './platform/errors';
export { ProblemResponses } from './platform/http/problems';

// What its code may do without HTTP.
export { AuditApi, defineAttribute, PermissionsApi, SessionsApi, SettingsApi, UsersApi } from './host-api';
export type {
  ActOptions,
  ChangedUserValues,
  DeclaredAttribute,
  DeclaredPermission,
  DeclaredRole,
  GrantedPermission,
  NewUserValues,
  OwnAuditEntry,
  PermissionCheckOptions,
  SessionView,
  SetOptions,
  UserListOptions,
  UserListPage,
} from './host-api';
export type { AssignedRole, CataloguePermission, CheckedPermission, PermissionLevel, StoredGrants } from './rbac';

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
  PreviousValue,
  Setting,
  SettingClass,
  SettingDeclaration,
  SettingKind,
  SettingTexts,
  SettingType,
  TextCheck,
} from './platform/settings';

// Ports that a host class can replace.
export { KeyValueCache } from './platform/cache';
export type { CounterStep, CounterStore } from './platform/cache';
export { PasswordHasher } from './platform/crypto';
export { Log, NestLog } from './platform/logging';
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
export { LoginMethod } from './auth/login';
export type { AttemptLimits, LoginBrowser, LoginProof, LoginSubject } from './auth/login';
export { AvatarGenerator, AvatarPictures } from './users/avatars';
export type { Picture, PictureFormat } from './users/avatars';
export { UserLookupService, OnUserCreate, USER_CREATED, UserEventsService } from './users';
export type { UserView, NamedUser, UserCreated, UserCreatedListener, UserSource } from './users';
export { Mailer, SmsSender } from './messaging';
export type { DeliveryOutcome, Mail, MessagePurpose, SendResult, TextMessage } from './messaging';

// Events.
export { OnIdentityEvent } from './host-api';
export type { IdentityEvent, IdentityEventFilter, IdentityEventType, OnIdentityEventOptions } from './host-api';
