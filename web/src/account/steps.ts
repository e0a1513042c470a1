import { demandOf } from '../shared/demand';
import { Store } from './store';

/** How many responses have named a required step. */
export const steps = new Store(0);

/** After a response which says that a step is due: makes the frame find out and act on it. */
export function reloadIfStepIsDue(error: unknown): void {
  if (demandOf(error)) steps.set(steps.value + 1);
}
