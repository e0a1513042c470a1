import type { QueryKey } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { queryClient } from '../query-client';

/** Forgets what was deleted once its page is left: as long as that stands, it would ask for it again. */
export function useForgetOnLeave(queryKey: QueryKey): () => void {
  const isDeleted = useRef(false);
  useEffect(
    () => () => {
      if (isDeleted.current) queryClient.removeQueries({ queryKey });
    },
    [],
  );
  return () => {
    isDeleted.current = true;
  };
}
