import type { components, Problem } from 'castellan-client';
import { useEffect, useState } from 'react';
import { useClient } from './provider';

type Info = components['schemas']['InfoDto'];

/** What the service says about itself, and the URL that its paths belong to. */
export interface FoundInfo {
  readonly info: Info;
  readonly url: string;
}

/**
 * What the service says about itself, such as what a registration needs. Undefined until the service has answered.
 * @param outdatedBy the problem that shows that it has changed. A new one loads it again.
 */
export function useInfo(outdatedBy?: Problem): FoundInfo | undefined {
  const client = useClient();
  const [found, setFound] = useState<FoundInfo>();
  useEffect(() => {
    let isCurrent = true;
    const load = async (): Promise<void> => {
      // Browsers keep the answer for a second.
      const options = outdatedBy ? ({ cache: 'reload' } as const) : {};
      const answer = await client.GET('/api/info', options).catch(() => undefined);
      if (isCurrent && answer?.data) setFound({ info: answer.data, url: answer.response.url });
    };
    void load();
    return () => {
      isCurrent = false;
    };
  }, [client, outdatedBy]);
  return found;
}
