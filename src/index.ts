/*
 * What an application that embeds the service may use; nothing else is public.
 */
export { IdentityModule } from './identity.module';
export type { IdentityExtensions, IdentityOptions } from './identity.options';
export { installHttp } from './install-http';
export type { InstallHttpOptions } from './install-http';

// Controllers of the host behind our guard.
export {
  ApiController,
  CurrentCaller,
  DuringPasswordChange,
  OwnedBy,
  OwnershipRule,
  Public,
  RequirePermission,
  RequireRecentLogin,
  ServiceController,
  SignedIn,
  definePermissions,
} from './platform/access';
export { contextOf, currentRequest } from './platform/context';
export type { Caller, RequestContext, RequestOrigin } from './platform/context';

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
export type { ErrorFactory, FieldProblem, ProblemOptions, ProblemParams } from './platform/errors';
export { ProblemResponses } from './platform/problems';

// Settings that administrators change while the service runs.
export { boolean, choice, defineSetting, integer, SettingsReader, text, textList } from './platform/settings';
export type { Setting, SettingDeclaration, SettingKind } from './platform/settings';

// Ports, each replaced by a class of the host's.
export { KeyValueCache } from './platform/cache';
export { PasswordHasher } from './platform/crypto';
export { Log } from './platform/logging';
export type { LogFields } from './platform/logging';
export { LoginMethod } from './session';
export type { LoginProof, LoginSubject } from './session';
export { AvatarGenerator } from './users';
export type { KnownUser } from './users';

// Events.
export { OnUserCreate, USER_CREATED, UserEvents } from './users';
export type { UserCreated, UserCreatedListener, UserSource } from './users';
