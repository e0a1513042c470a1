/* The public API for applications that embed the service. Nothing else is public. */
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
  PreValidationGuards,
  CurrentCaller,
  CurrentCallerOrClient,
  AllowDuring,
  AllowClients,
  AllowWhileActing,
  InOrganization,
  isServiceRoute,
  OwnedBy,
  OwnershipRule,
  Public,
  RequirePermission,
  RequireRecentLogin,
  ServiceController,
  Authenticated,
  definePermissions,
} from './platform/access';
export type { OrganizationRule, OwnershipRuleClass } from './platform/access';
export { IdentityGuarded } from './platform/http';
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
} from './platform/input';
export type { FieldOptions, FieldValidator, TextLimits, Violation } from './platform/input';
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
export { ProblemResponses } from './platform/problems';

// What its code may do without HTTP.
export { AuditApi, PermissionsApi, SessionsApi, SettingsApi, UsersApi } from './host-api';
export type {
  ActOptions,
  ChangedUserValues,
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
  SettingDeclaration,
  SettingKind,
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
export { LoginMethod } from './login';
export type { AttemptLimits, LoginBrowser, LoginProof, LoginSubject } from './login';
export { AvatarGenerator, AvatarPictures } from './avatars';
export type { Picture, PictureFormat } from './avatars';
export { UserLookupService } from './users';
export type { UserView, NamedUser } from './users';
export { Mailer, SmsSender } from './messaging';
export type { DeliveryOutcome, Mail, MessagePurpose, SendResult, TextMessage } from './messaging';

// Events.
export { OnUserCreate, USER_CREATED, UserEventsService } from './users';
export type { UserCreated, UserCreatedListener, UserSource } from './users';
export { OnIdentityEvent } from './event-feed';
export type { IdentityEvent, IdentityEventFilter, IdentityEventType, OnIdentityEventOptions } from './event-feed';
