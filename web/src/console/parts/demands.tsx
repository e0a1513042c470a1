import { useEffect } from 'react';
import { demandOf } from '../../shared/demand';
import { goToTerms, placeOf } from '../../signed-in/places';
import { dropUnsaved } from '../../signed-in/unsaved';
import { $api } from '../api';

/** Redirects the user to the page of a required step. Calls a route that is closed until the step is complete. */
export function Demands(): null {
  const { error } = $api.useQuery('get', '/api/auth/sessions', {}, { staleTime: Infinity });
  const path = placeOf(error)?.path;
  const mustAcceptTerms = demandOf(error) === 'terms_required';
  useEffect(() => {
    if (mustAcceptTerms) goToTerms();
    if (mustAcceptTerms || path === undefined) return;
    dropUnsaved();
    location.replace(path);
  }, [path, mustAcceptTerms]);
  return null;
}
