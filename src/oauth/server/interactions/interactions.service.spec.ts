import { InteractionsService } from './interactions.service';
import { fakeArguments } from '../../../../test/support/service/fake';

type Parts = ConstructorParameters<typeof InteractionsService>;

const UID = 'u'.repeat(21);

describe('InteractionsService.find', () => {
  /** The scopes that the page of a consent with these details lists. */
  async function scopesOf(details: object): Promise<readonly string[]> {
    const interaction = {
      uid: UID,
      prompt: { name: 'consent', reasons: [], details },
      params: { client_id: 'app', scope: 'openid profile email contact:read' },
      session: { accountId: 'ann' },
    };
    const interactions = new InteractionsService(
      ...fakeArguments<Parts>([
        { current: async () => ({ Interaction: { find: async () => interaction } }) },
        { get: async () => ({ clientId: 'app' }) },
        {},
        {},
        { get: async () => ({ id: 'ann' }) },
        {},
        {},
        { overlayOf: async () => undefined },
      ]),
    );
    const login = { userId: 'ann' } as Parameters<InteractionsService['find']>[1];
    return (await interactions.find(UID, login)).scopes;
  }

  it.each<[string, object, string[]]>([
    ['of the user', { missingOIDCScope: ['email'] }, ['email']],
    ['of a resource', { missingResourceScopes: { crm: ['contact:read'] } }, ['contact:read']],
    [
      'of both',
      { missingOIDCScope: ['email'], missingResourceScopes: { crm: ['contact:read'] } },
      ['email', 'contact:read'],
    ],
    ['that is requested, if none is missing', {}, ['openid', 'profile', 'email', 'contact:read']],
  ])('lists the missing scopes: %s', async (_, details, scopes) => {
    expect(await scopesOf(details)).toEqual(scopes);
  });
});
