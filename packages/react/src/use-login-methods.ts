import { useEffect, useState } from 'react';
import { useClient } from './provider';

/** Types of the login methods that the service has enabled. Undefined until it has answered. */
export function useLoginMethods(): readonly string[] | undefined {
  const client = useClient();
  const [types, setTypes] = useState<readonly string[]>();
  useEffect(() => {
    let isCurrent = true;
    const load = async (): Promise<void> => {
      const { data } = await client.GET('/api/info').catch(() => ({ data: undefined }));
      if (isCurrent && data) setTypes(data.login_methods.filter(({ enabled }) => enabled).map(({ type }) => type));
    };
    void load();
    return () => {
      isCurrent = false;
    };
  }, [client]);
  return types;
}
