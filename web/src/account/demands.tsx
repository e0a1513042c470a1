import { useEffect, type ReactNode } from 'react';
import { api } from '../api/client';
import { sentenceOf, isProblem } from '../api/problem';
import { demandOf } from '../shared/demand';
import { placeOf, termsAddress } from '../signed-in/places';
import { goInstead } from './router';
import { shown } from './shown';
import { useStore } from './store';
import { useLoad } from './use-load';

/** Leads the user to the page of a required step. Calls a route that is closed until the step is complete. */
export function Demands(): ReactNode {
  // Not on return: the user may have unsaved input.
  const { error } = useLoad(() => api.GET('/api/auth/sessions'), { onReturn: false });
  const path = useStore(shown)?.path;
  const place = placeOf(error)?.path;
  const demand = demandOf(error);
  useEffect(() => {
    if (demand === 'terms_required') location.replace(termsAddress());
    else if (place !== undefined && path !== undefined && place !== path) void goInstead(place);
  }, [demand, place, path]);
  // The page of the second factor has its own notice.
  if (demand !== 'password_change_required' || !isProblem(error)) return null;
  return (
    <div role="alert" className="notice">
      {sentenceOf(error)}
    </div>
  );
}
