import { can } from 'castellan-client';
import { api } from '../api/client';
import { isProblem, type Problem } from '../api/problem';
import { demandOf, type Demand } from '../shared/demand';
import { destination, errorPage, clearDestination, goingOn, interaction, isLoggedIn, isUndecided } from './destination';

export type NextStep = { readonly kind: Demand } | { readonly kind: 'keep'; readonly dueAt: string };

/**
 * Returns the step before the user goes on, if any: one that the user must complete, found by a route that is closed
 * until then, or the offer to keep an account whose deletion was requested.
 */
export async function nextStep({ mayBeDeleted = false } = {}): Promise<NextStep | undefined> {
  const [{ error }, me] = await Promise.all([
    api.GET('/api/auth/sessions'),
    mayBeDeleted ? undefined : api.GET('/api/auth/me'),
  ]);
  const demand = demandOf(error);
  if (demand) return { kind: demand };
  const dueAt = me?.data?.deletion_due_at ?? undefined;
  return dueAt === undefined ? undefined : { kind: 'keep', dueAt };
}

/** Returns whether the user may change settings and the first-run setup is still open. */
async function hasSetupToDo(): Promise<boolean> {
  const { data: me } = await api.GET('/api/auth/me');
  if (!can(me, 'setting:update')) return false;
  const { data } = await api.GET('/api/setting', { params: { query: { category: 'app' } } });
  return data?.items.some(({ key, value }) => key === 'app.setup_finished' && value === false) ?? false;
}

/**
 * Codes which mean that the authorization request has ended or belongs to another user. After any other error it can
 * still be answered.
 */
const endings: readonly string[] = ['not_found', 'unauthenticated', 'interaction_answered'];

/**
 * Redirects if the request cannot be answered here, and returns whether it does: to the error page if the request has
 * ended, to the login if a new password or a second factor is due. The login then continues the request.
 */
export function leaveIfEnded(problem: Problem): boolean {
  const isDue = demandOf(problem) !== undefined;
  const hasEnded = endings.includes(problem.code);
  if (isDue) location.replace(goingOn);
  else if (hasEnded) location.replace(errorPage('interaction_ended'));
  return isDue || hasEnded;
}

/** Replaces the history entry of an address that only redirects, so that Back skips it. */
function leaveFor(address: string): void {
  if (isLoggedIn) location.replace(address);
  else location.assign(address);
}

/** Returns whether the request waits for the user's consent. Throws the problem if the request cannot be loaded. */
async function isConsent(uid: string): Promise<boolean> {
  const { data, error } = await api.GET('/api/oauth/interaction/{uid}', { params: { path: { uid } } });
  // oxlint-disable-next-line typescript/only-throw-error -- the caller shows the problem
  if (!data) throw error;
  return data.kind === 'consent';
}

async function allowLogin(uid: string): Promise<string> {
  const { data, error } = await api.POST('/api/oauth/interaction/{uid}', {
    params: { path: { uid } },
    body: { decision: 'allow' },
  });
  // oxlint-disable-next-line typescript/only-throw-error -- the caller shows the problem
  if (!data) throw error;
  return data.redirect;
}

/** Navigates to the destination of the login. Throws the problem if the service returns one. */
export async function goOn(): Promise<void> {
  clearDestination();
  if (interaction === undefined) {
    leaveFor(isUndecided && (await hasSetupToDo()) ? '/admin/setup' : destination);
    return;
  }
  try {
    const asked = await isConsent(interaction);
    leaveFor(asked ? `/consent?interaction=${encodeURIComponent(interaction)}` : await allowLogin(interaction));
  } catch (error) {
    if (!(isProblem(error) && leaveIfEnded(error))) throw error;
  }
}
