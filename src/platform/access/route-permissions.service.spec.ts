import { attachContext, Caller, RequestContext } from '../context';
import { ProblemError } from '../errors';
import { MaybePromise } from '../util';
import { RoutePermissionsService } from './route-permissions.service';

const ANN = { userId: 'ann' } as Caller;
/** Ann is a member of the first, and may name both. */
const [HOME, OPEN, HIDDEN] = ['home', 'open', 'hidden'];

describe.each([
  { state: 'cached', answer: <T>(value: T): MaybePromise<T> => value },
  { state: 'loaded', answer: <T>(value: T): MaybePromise<T> => Promise.resolve(value) },
])('permissions of a route with $state grants', ({ answer }) => {
  let context: RequestContext;

  /** @param held permissions, those of one organization as `home/thing:read` */
  const permissionsWith = (...held: string[]): RoutePermissionsService =>
    new RoutePermissionsService(
      {
        isGranted: (_, permission, within) =>
          answer(held.includes(permission) || held.includes(`${within}/${permission}`)),
        describe: (permission) => ({ permission, scope: 'iam' }),
      },
      {
        isMember: (_, named) => answer(named === HOME),
        isOpenTo: (_, named) => answer([HOME, OPEN].includes(named)),
        acceptsLogin: () => answer(true),
      },
    );

  async function outcomeOf(work: () => MaybePromise<void>): Promise<string> {
    try {
      await work();
      return 'passes';
    } catch (error) {
      if (error instanceof ProblemError) return error.code;
      throw error;
    }
  }

  function requestFor(organization?: string): object {
    const request = { headers: { 'x-organization-id': organization } };
    context = {} as RequestContext;
    attachContext(request, context);
    return request;
  }

  it.each([
    [undefined, 'passes', undefined],
    [HOME, 'passes', HOME],
    [OPEN, 'passes', OPEN],
    [HIDDEN, 'not_found', undefined],
    ['', 'not_found', undefined],
  ])('note the organization of the header %s', async (named, outcome, noted) => {
    const request = requestFor(named);
    expect(await outcomeOf(() => permissionsWith().enter(request, ANN))).toBe(outcome);
    expect(context.organizationId).toBe(noted);
  });

  it('let no client without a user name an organization', async () => {
    expect(await outcomeOf(() => permissionsWith().enter(requestFor(HOME)))).toBe('not_found');
    expect(await outcomeOf(() => permissionsWith().enter(requestFor()))).toBe('passes');
  });

  it.each<[string[], string | undefined, string]>([
    [['a:read', 'b:read'], undefined, 'passes'],
    [['a:read', `${HOME}/b:read`], HOME, 'passes'],
    [['a:read', `${HOME}/b:read`], OPEN, 'permission_denied'],
    [['a:read', `${HOME}/b:read`], undefined, 'permission_denied'],
    [['b:read'], HOME, 'permission_denied'],
  ])('are all required: holding %j within %s', async (held, organization, outcome) => {
    const permissions = permissionsWith(...held);
    expect(await outcomeOf(() => permissions.require(['a:read', 'b:read'], ANN.userId, organization))).toBe(outcome);
  });

  it.each<[string, string[], string]>([
    [HOME, [`${HOME}/a:read`], 'passes'],
    [HOME, ['a:read'], 'passes'],
    [HOME, [], 'permission_denied'],
    [HIDDEN, ['a:read'], 'passes'],
    [HIDDEN, [`${HOME}/a:read`], 'not_found'],
    [HIDDEN, [], 'not_found'],
  ])('in the organization %s of the path, holding %j: %s', async (organization, held, outcome) => {
    const request = requestFor();
    const permissions = permissionsWith(...held);
    expect(await outcomeOf(() => permissions.requireWithin(organization, ['a:read'], ANN.userId, request))).toBe(
      outcome,
    );
    expect(context.organizationId).toBe(outcome === 'passes' ? organization : undefined);
  });
});
