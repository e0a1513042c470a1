import type { PendingDuty } from 'castellan-client';
import type { ReactNode } from 'react';
import { useAccount } from './provider';
import { usePermission } from './use-user';

export interface CanProps {
  /** `scope:resource:action`, or `resource:action` of the service's own scope. */
  readonly permission: string;
  /** Counts if it is higher than the level that the action needs. */
  readonly level?: number;
  /** Shown to users without the permission. */
  readonly fallback?: ReactNode;
  readonly children?: ReactNode;
}

/** Shows its children to users with the permission. */
export function Can({ permission, level, fallback = null, children }: CanProps): ReactNode {
  return <>{usePermission(permission, level) ? children : fallback}</>;
}

/** Shows its children to logged-in users who have nothing to do first. */
export function SignedIn({ children }: { readonly children?: ReactNode }): ReactNode {
  return <>{useAccount().status === 'signed_in' ? children : null}</>;
}

export interface SignedInPendingProps {
  /** Default: any. */
  readonly duty?: PendingDuty;
  readonly children?: ReactNode;
}

/** Shows its children to logged-in users who have something to do before anything else. */
export function SignedInPending({ duty, children }: SignedInPendingProps): ReactNode {
  const { pending } = useAccount();
  return <>{pending && (duty === undefined || duty === pending.duty) ? children : null}</>;
}

/** Shows its children while no user is logged in; nothing until that is known. */
export function SignedOut({ children }: { readonly children?: ReactNode }): ReactNode {
  return <>{useAccount().status === 'signed_out' ? children : null}</>;
}
