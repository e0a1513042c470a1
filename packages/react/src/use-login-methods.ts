import { useInfo } from './use-info';

/** Types of the login methods that the service has enabled. Undefined until it has answered. */
export function useLoginMethods(): readonly string[] | undefined {
  const methods = useInfo()?.info.login_methods;
  return methods?.filter(({ enabled }) => enabled).map(({ type }) => type);
}
