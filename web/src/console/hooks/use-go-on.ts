import { useNavigate } from 'react-router';
import { withoutQuestion } from '../../session/unsaved';

/** Navigates after a change has been saved or an object has been deleted. */
export function useGoOn(): (path: string, options?: { readonly replace?: boolean }) => Promise<void> {
  const navigate = useNavigate();
  return async (path, options) => {
    await navigate(path, { ...options, state: withoutQuestion });
  };
}
