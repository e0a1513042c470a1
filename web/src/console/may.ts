import { mayDo } from '../shared/permissions';
import { useInfo } from './info-context';
import { useMe } from './me';

/** Checks the signed-in user's permissions in the service's own scope. */
export function useMay(): (permission: string) => boolean {
  const { permissions } = useMe();
  const { scope } = useInfo();
  return (permission) => mayDo(permissions, scope, permission);
}

/** Returns whether the signed-in user holds every permission. The trust settings of a login provider require it. */
export function useHoldsEverything(): boolean {
  const { permissions } = useMe();
  return mayDo(permissions, '*', '*:*');
}
