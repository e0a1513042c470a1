import { Answer, Method, Problem, TestClient } from '../service/test-client';

export const NEW_PASSWORD = 'another horse battery staple';

/** A request of a user administrator on a user. */
export type UserAct = readonly [name: string, method: Method, path: string, body?: object];

/** Requests that would let the caller log in as the user, or that change the user's identity. */
export const IMPERSONATING: readonly UserAct[] = [
  ['rename', 'PATCH', '', { username: 'taken_over' }],
  ['change the e-mail of', 'PATCH', '', { email: 'attacker@example.com', email_verified: true }],
  ['change the phone of', 'PATCH', '', { phone: '+8613800138009' }],
  ['vouch for the e-mail of', 'PATCH', '', { email_verified: false }],
  ['give a nickname to', 'PATCH', '', { nickname: 'Fool' }],
  ['require a password change by', 'PATCH', '', { must_change_password: true }],
  ['set the password of', 'PUT', '/password', { new_password: NEW_PASSWORD }],
  ['remove the second factors of', 'DELETE', '/mfa'],
  ['rename and disable', 'PATCH', '', { nickname: 'Fool', status: 'disabled' }],
  ['delete', 'DELETE', ''],
];

export const actOn = (client: TestClient, id: string, [, method, path, body]: UserAct): Promise<Answer<Problem>> =>
  client.send<Problem>(method, `/api/user/${id}${path}`, body === undefined ? {} : { body });
