import { useMemo } from 'react';
import { useInfo } from './use-info';

/** Types of the login methods that the service has enabled. Undefined until it has answered. */
export function useLoginMethods(): readonly string[] | undefined {
  const methods = useInfo()?.info.login_methods;
  // The same array until it changes, so that effects may depend on it.
  return useMemo(() => methods?.filter(({ enabled }) => enabled).map(({ type }) => type), [methods]);
}
