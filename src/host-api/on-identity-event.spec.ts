import './identity-event';
import { OnIdentityEvent } from './on-identity-event';

describe('OnIdentityEvent', () => {
  it.each([['user.deletet'], ['user'], ['shop.*'], ['*'], ['toString']])('rejects %s, which no event has', (filter) => {
    expect(() => OnIdentityEvent(filter as 'user.deleted')).toThrow(`@OnIdentityEvent('${filter}') names no event`);
  });

  it('rejects an empty list and a name that cannot be stored', () => {
    expect(() => OnIdentityEvent([])).toThrow('names no event');
    expect(() => OnIdentityEvent('user.deleted', { name: 'of the shop' })).toThrow('The name "of the shop"');
  });
});
