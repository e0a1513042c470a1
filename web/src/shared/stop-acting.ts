import { api } from '../api/client';

const UNAUTHENTICATED = 401;
const NOT_FOUND = 404;

/**
 * Returns to the own session. Resolves to false if the service cannot be reached or is out of order; true also if the own
 * session has ended, or another tab was faster.
 */
export async function stopActing(): Promise<boolean> {
  try {
    const { response } = await api.DELETE('/api/auth/act-as');
    return response.ok || response.status === UNAUTHENTICATED || response.status === NOT_FOUND;
  } catch {
    return false;
  }
}
