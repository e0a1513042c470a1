import type { ExecutionContext } from '@nestjs/common';
import { CodesGuard } from './codes.guard';
import { fake, fakeArguments } from '../../test/support/service/fake';

type Parts = ConstructorParameters<typeof CodesGuard>;

describe('CodesGuard', () => {
  const admits = (body: unknown, actor?: object, isOn = true): Promise<boolean> => {
    const users = { require: async () => ({ userId: 'ann', actor }) };
    const guard = new CodesGuard(...fakeArguments<Parts>([users, { isOn: async () => isOn }]));
    const getRequest = (): object => ({ body });
    return guard.canActivate(fake<ExecutionContext>({ switchToHttp: () => ({ getRequest }) }));
  };
  const actor = { userId: 'bob' };

  it('rejects a code for a new contact while another user acts', async () => {
    await expect(admits({ purpose: 'bind' }, actor)).rejects.toMatchObject({ code: 'acting_restricted' });
    expect(await admits({ purpose: 'bind' })).toBe(true);
  });

  it.each([{ purpose: 'login' }, {}, 'bind', null, undefined])('needs no user for the body %j', async (body) => {
    expect(await admits(body, actor)).toBe(true);
  });

  it('rejects every purpose while codes are disabled', async () => {
    for (const purpose of ['bind', 'login']) {
      await expect(admits({ purpose }, undefined, false)).rejects.toMatchObject({ code: 'verification_disabled' });
    }
  });
});
