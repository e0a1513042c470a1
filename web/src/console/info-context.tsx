import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, type ReactNode } from 'react';
import { readInfo, type Info } from '../shared/info';
import { $api, api } from './api';
import { queryClient } from './query-client';

const Context = createContext<Info | undefined>(undefined);

const { queryKey } = $api.queryOptions('get', '/api/info');

async function loadInfo(): Promise<Info> {
  // Browsers keep the answer for a second.
  const { data, error } = await api.GET('/api/info', { cache: 'reload' });
  if (!data) throw error as unknown;
  return data;
}

/** Updates name, logo and colour of the page after a change of the settings. */
export const reloadInfo = (): Promise<void> => queryClient.invalidateQueries({ queryKey });

interface InfoProviderProps {
  readonly children: (info: Info) => ReactNode;
}

/** Provides the data that the server wrote into the page, until `reloadInfo` is called. */
export function InfoProvider({ children }: InfoProviderProps): ReactNode {
  const { data } = useQuery({ queryKey, queryFn: loadInfo, initialData: readInfo, staleTime: Infinity });
  return <Context value={data}>{children(data)}</Context>;
}

export function useInfo(): Info {
  const info = useContext(Context);
  if (!info) throw new Error('useInfo requires an InfoProvider');
  return info;
}
