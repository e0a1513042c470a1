import { can } from 'castellan-client';
import { useMe } from './me';

/** Checks the signed-in user's permissions in the service's own scope. */
export function useMay(): (permission: string) => boolean {
  const me = useMe();
  return (permission) => can(me, permission);
}

/** Returns whether the signed-in user holds every permission. The trust settings of a login provider require it. */
export function useHoldsEverything(): boolean {
  return can(useMe(), '*:*:*');
}
