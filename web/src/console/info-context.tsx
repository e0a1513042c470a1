import { createContext, useContext, type ReactNode } from 'react';
import type { Info } from '../shared/info';

const Context = createContext<Info | undefined>(undefined);

export function InfoProvider({ info, children }: { readonly info: Info; readonly children: ReactNode }): ReactNode {
  return <Context value={info}>{children}</Context>;
}

export function useInfo(): Info {
  const info = useContext(Context);
  if (!info) throw new Error('useInfo requires an InfoProvider');
  return info;
}
