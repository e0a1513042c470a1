import { OrderedAuditEvent } from '../../audit';
import { presentMembers } from '../../platform/util';
import { clientMappers } from './map-client-action';
import { mapFamilyAction } from './map-family-action';
import { mapFailedLogin, mapLock, mapLogin } from './map-login';
import { roleMappers } from './map-role-action';
import { sessionMappers } from './map-session-action';
import { userMappers } from './map-user-action';
import { ActMapper, MappedEvent, stateOf, targetOf, textOf } from './mapped-event';

const mapSetting =
  (rollback: boolean): ActMapper =>
  (act) => [{ type: 'setting.changed', subject: targetOf(act, 'setting'), data: { rollback } }];

/** By audit action. */
const mappers: ReadonlyMap<string, ActMapper> = new Map<string, ActMapper>([
  ...userMappers,
  ...sessionMappers,
  ...roleMappers,
  ...clientMappers,
  ['login', mapLogin],
  ['setting.update', mapSetting(false)],
  ['setting.rollback', mapSetting(true)],
  [
    'signing_key.rotate',
    (act) => [
      {
        type: 'signing_key.rotated',
        subject: targetOf(act, 'signing_key'),
        data: presentMembers({ usage: textOf(stateOf(act.after)['usage']) }),
      },
    ],
  ],
]);

/** Acts that are audited as failures although they change something. */
const EFFECTIVE_FAILURES: ReadonlySet<string> = new Set(['session.refresh_reused']);

/** The events of an act, in order. */
export function mapAction(act: OrderedAuditEvent): MappedEvent[] {
  const isRejected = act.outcome === 'failure' && !EFFECTIVE_FAILURES.has(act.action);
  if (isRejected) return [...mapFailedLogin(act), ...mapLock(act)];
  return mappers.get(act.action)?.(act) ?? mapFamilyAction(act);
}
