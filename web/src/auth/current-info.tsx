import { createContext, useContext, useState, type ReactNode } from 'react';
import { loadInfoOfPage, type Info } from '../shared/info';

/** Loads the data of the page again, shows it, and returns it. Throws if the service cannot be reached. */
type RefreshInfo = () => Promise<Info>;

const Context = createContext<RefreshInfo | undefined>(undefined);

interface CurrentInfoProps {
  readonly loaded: Info;
  readonly children: (info: Info) => ReactNode;
}

/** Provides the data that the server wrote into the page, until a part of the page loads it again. */
export function CurrentInfo({ loaded, children }: CurrentInfoProps): ReactNode {
  const [info, setInfo] = useState(loaded);
  const [refresh] = useState<RefreshInfo>(() => async () => {
    const current = await loadInfoOfPage();
    setInfo(current);
    return current;
  });
  return <Context value={refresh}>{children(info)}</Context>;
}

export function useRefreshInfo(): RefreshInfo {
  const refresh = useContext(Context);
  if (!refresh) throw new Error('useRefreshInfo requires a CurrentInfo');
  return refresh;
}
