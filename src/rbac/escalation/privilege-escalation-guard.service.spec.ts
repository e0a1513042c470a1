import { APPLICATION, OPERATOR } from '../../platform/context';
import { actorWithin } from './privilege-escalation-guard.service';

describe('actorWithin', () => {
  it('counts what the actor holds in the organization', () => {
    expect(actorWithin({ userId: 'ann' }, 'acme')).toEqual({ userId: 'ann', organizationId: 'acme' });
  });

  it('counts nothing of one organization for what holds everywhere, or in another', () => {
    const inAcme = actorWithin({ userId: 'ann' }, 'acme');
    expect(actorWithin(inAcme, null)).toEqual({ userId: 'ann' });
    expect(actorWithin(inAcme, 'globex')).toEqual({ userId: 'ann', organizationId: 'globex' });
  });

  it.each([OPERATOR, APPLICATION])('keeps the identity of $username', (actor) => {
    expect([actorWithin(actor, null), actorWithin(actor, 'acme')].map((one) => one === actor)).toEqual([true, true]);
  });

  it('makes no system actor of a user with its id', () => {
    expect(actorWithin({ ...OPERATOR }, 'acme')).toEqual({ userId: OPERATOR.userId, organizationId: 'acme' });
  });
});
