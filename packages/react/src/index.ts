export type { Account } from './account-store';
export { Can, type CanProps, SignedIn, SignedInPending, type SignedInPendingProps, SignedOut } from './components';
export { CastellanProvider, type CastellanProviderProps, useAccount, useClient, useReload } from './provider';
export {
  type Challenge,
  type Login,
  type LoginBody,
  type LoginOutcome,
  type Logout,
  type SecondFactor,
  type SecondFactorLogin,
  useLogin,
  useLogout,
  useSecondFactor,
} from './use-login';
export { type FoundInfo, useInfo } from './use-info';
export { useLoginMethods } from './use-login-methods';
export { type Terms, useTerms } from './use-terms';
export {
  type Passkey,
  type PasskeyLogin,
  type PasskeyRegistration,
  type PasskeySecondFactor,
  usePasskeyLogin,
  usePasskeyRegistration,
  usePasskeySecondFactor,
} from './use-passkey';
export {
  type CodeSending,
  type PasswordReset,
  type Registration,
  useCode,
  usePasswordReset,
  useRegister,
} from './use-registration';
export {
  type Factor,
  type Reauthentication,
  type SecondFactors,
  useReauthentication,
  useSecondFactors,
} from './use-second-factors';
export { type Submission, type SubmissionState, UNREACHABLE, useSubmission } from './use-submission';
export { type Sessions, usePermission, useSessions, useUser } from './use-user';
