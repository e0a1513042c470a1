import type { components } from 'castellan-client';
import { useEffect, useState } from 'react';
import { useClient } from './provider';

type Info = components['schemas']['InfoDto'];

/** What the service says about itself, and the URL that its paths belong to. */
interface FoundInfo {
  readonly info: Info;
  readonly url: string;
}

/** Undefined until the service has answered. */
export function useInfo(): FoundInfo | undefined {
  const client = useClient();
  const [found, setFound] = useState<FoundInfo>();
  useEffect(() => {
    let isCurrent = true;
    const load = async (): Promise<void> => {
      const answer = await client.GET('/api/info').catch(() => undefined);
      if (isCurrent && answer?.data) setFound({ info: answer.data, url: answer.response.url });
    };
    void load();
    return () => {
      isCurrent = false;
    };
  }, [client]);
  return found;
}
