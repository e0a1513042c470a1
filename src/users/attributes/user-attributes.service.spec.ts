import { Attribute } from './attribute.entity';
import { AttributeCache } from './attribute.cache';
import { AttributeRepository } from './attribute.repository';
import { shownValues, UserAttributesService } from './user-attributes.service';
import { fake } from '../../../test/support/service/fake';

/** An attribute with the name of a member that every object has. */
const attribute = (fields: Partial<Attribute>): Attribute =>
  Object.assign(new Attribute(), { name: 'constructor', type: 'text', rules: {}, owner: 'write', ...fields });

const serviceOf = (...attributes: Attribute[]): UserAttributesService =>
  new UserAttributesService(fake<AttributeCache>({ get: () => attributes }), {} as AttributeRepository);

describe('UserAttributesService', () => {
  it('shows no value that a user does not have', () => {
    expect(shownValues([attribute({})], {}, 'administrator')).toEqual({});
    expect(shownValues([attribute({})], { constructor: 'x' }, 'owner')).toEqual({ constructor: 'x' });
  });

  it('asks for a value that a user does not have', async () => {
    const service = serviceOf(attribute({ required: 'login' }));
    expect(await service.isDue({})).toBe(true);
    expect(await service.isDue({ constructor: 'x' })).toBe(false);
  });

  it('asks for a value that a registration does not give', async () => {
    const service = serviceOf(attribute({ required: 'registration' }));
    expect(await service.problemsOfRegistration({})).toEqual([{ field: 'attributes.constructor', code: 'required' }]);
  });
});
