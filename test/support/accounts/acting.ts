import { actAsEnabled } from '../../../src/session';
import { anyUserWith, GrantInput, UserWithGrants } from './holders';
import { Answer, Problem, TestClient } from '../service/test-client';
import type { TestService } from '../service/test-service';

export const ACT_AS = 'act_as:execute';
export const REASON = 'Ticket 4711';

export interface ActingAnswer extends Problem {
  readonly session: {
    readonly id: string;
    readonly login_method: string;
    readonly created_at: string;
    readonly expires_at: string;
    readonly actor?: { readonly id: string; readonly username: string };
  };
  readonly access_expires_at: string;
}

export const actAs = (
  client: TestClient,
  { id }: Pick<UserWithGrants, 'id'>,
  body: object = { reason: REASON },
): Promise<Answer<ActingAnswer>> => client.post<ActingAnswer>(`/api/user/${id}/act-as`, body);

export const stopActing = (client: TestClient): Promise<Answer<ActingAnswer>> =>
  client.delete<ActingAnswer>('/api/auth/act-as');

/** An administrator who acts as a user. Both hold the same, but for the permission to act. */
export interface Acting {
  readonly actor: UserWithGrants;
  readonly user: UserWithGrants;
  /** Id of the acting session. */
  readonly sessionId: string;
}

/** Turns the setting on, and lets a new administrator act as a new user, in the administrator's browser. */
export async function someoneActing(
  service: TestService,
  admin: TestClient,
  ...grants: (GrantInput | string)[]
): Promise<Acting> {
  await service.set(actAsEnabled, true);
  const actor = await anyUserWith(service, admin, ...new Set([ACT_AS, ...grants]));
  const user = await anyUserWith(service, admin, ...grants);
  const answer = await actAs(actor.client, user);
  if (answer.status !== 201) throw new Error(`Could not act as a user: ${answer.text}`);
  return { actor, user, sessionId: answer.body.session.id };
}

export const whoIs = async (client: TestClient): Promise<{ user: string; actor: string | undefined }> => {
  const { body } = await client.get<{ username: string; actor?: { username: string } }>('/api/auth/me');
  return { user: body.username, actor: body.actor?.username };
};
