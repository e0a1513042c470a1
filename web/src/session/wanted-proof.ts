import { isProblem } from '../api/problem';

/** Factor to prove. A passkey with user verification proves both. */
export type WantedProof = 'first' | 'second';

/** Returns undefined if the error is about something else. */
export function wantedProof(error: unknown): WantedProof | undefined {
  if (!isProblem(error) || error.code !== 'reauthentication_required') return undefined;
  return error.params?.['factors'] === 2 ? 'second' : 'first';
}
