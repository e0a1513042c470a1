import { ActMapper, changedFields, targetOf } from './mapped-event';

const mapClient =
  (type: string): ActMapper =>
  (act) => [{ type, subject: targetOf(act, 'client') }];

const mapUpdate: ActMapper = (act) => [
  { type: 'client.updated', subject: targetOf(act, 'client'), data: { fields: changedFields(act) } },
];

export const clientMappers: readonly (readonly [string, ActMapper])[] = [
  ['oauth_client.create', mapClient('client.created')],
  ['oauth_client.update', mapUpdate],
  ['oauth_client.disable', mapClient('client.disabled')],
  ['oauth_client.rotate_secret', mapClient('client.secret_rotated')],
  ['oauth_client.delete', mapClient('client.deleted')],
];
