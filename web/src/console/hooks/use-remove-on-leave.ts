import type { QueryKey } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { queryClient } from '../query-client';

/**
 * Removes a deleted object from the cache when its page unmounts. An earlier removal would make the page load it again.
 */
export function useRemoveOnLeave(queryKey: QueryKey): () => void {
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
