import { mayDo } from '../shared/permissions';
import { useInfo } from './info-context';
import { useMe } from './me';

/** Whether whoever is logged in holds a permission of the service's own scope. */
export function useMay(): (permission: string) => boolean {
  const { permissions } = useMe();
  const { scope } = useInfo();
  return (permission) => mayDo(permissions, scope, permission);
}

/** Whether whoever is logged in holds everything, everywhere: what says whom the service believes asks for it. */
export function useHoldsEverything(): boolean {
  const { permissions } = useMe();
  return mayDo(permissions, '*', '*:*');
}
