import { api } from '../api/client';
import { isProblem, type Problem } from '../api/problem';
import { demandOf, type Demand } from '../shared/demand';
import { readInfo } from '../shared/info';
import { mayDo } from '../shared/permissions';
import { destination, forgetPurpose, goingOn, interaction, isLoggedIn, isUndecided } from './destination';

/** Asked of a route that is closed until the demand is met. */
export async function openDemand(): Promise<Demand | undefined> {
  const { error } = await api.GET('/api/auth/sessions');
  return demandOf(error);
}

/** Whether the first steps of the service wait for whoever logged in. */
async function hasSetupToDo(): Promise<boolean> {
  const { data: me } = await api.GET('/api/auth/me');
  if (!me || !mayDo(me.permissions, readInfo().scope, 'setting:update')) return false;
  const { data } = await api.GET('/api/setting', { params: { query: { category: 'app' } } });
  return data?.items.some(({ key, value }) => key === 'app.setup_finished' && value === false) ?? false;
}

/** What answers that an application's request is over, or somebody else's to decide; any other refusal leaves it standing. */
const endings: readonly string[] = ['not_found', 'unauthenticated', 'interaction_answered'];

/**
 * Whether the request cannot be answered here: the browser leaves for the page that says that it has ended, or for the
 * login, where a new password or second factor that is due is set and the request goes on.
 */
export function leaveIfEnded(problem: Problem): boolean {
  const isDue = demandOf(problem) !== undefined;
  const hasEnded = endings.includes(problem.code);
  if (isDue) location.replace(goingOn);
  else if (hasEnded) location.replace('/error?code=interaction_ended');
  return isDue || hasEnded;
}

/** An address that only leads on is none to come back to. */
function leaveFor(address: string): void {
  if (isLoggedIn) location.replace(address);
  else location.assign(address);
}

/** Whether the request waits for a consent, which is the person's to give. Throws the problem that keeps it from being known. */
async function isConsent(uid: string): Promise<boolean> {
  const { data, error } = await api.GET('/api/oauth/interaction/{uid}', { params: { path: { uid } } });
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- whoever logs in is told the problem as it is
  if (!data) throw error;
  return data.kind === 'consent';
}

async function allowLogin(uid: string): Promise<string> {
  const { data, error } = await api.POST('/api/oauth/interaction/{uid}', {
    params: { path: { uid } },
    body: { decision: 'allow' },
  });
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- whoever logs in is told the problem as it is
  if (!data) throw error;
  return data.redirect;
}

/** Leaves for where the browser wanted to be. Throws the problem that keeps it here. */
export async function goOn(): Promise<void> {
  forgetPurpose();
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
