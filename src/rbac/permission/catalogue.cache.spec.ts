import { CacheFactory } from '../../platform/cache';
import { CatalogueCache } from './catalogue.cache';
import { CatalogueRepository } from './catalogue.repository';
import { fake } from '../../../test/support/service/fake';

const PUBLISH = { scope: 'crm', resource: 'report', action: 'publish' };

describe('CatalogueCache', () => {
  it('keeps the ranks of a check when an older load finishes later', async () => {
    const loads: ((requiredLevel: number) => void)[] = [];
    const findAll = (): Promise<object[]> =>
      new Promise((resolve) => {
        loads.push((requiredLevel) => {
          resolve([{ scope: 'crm', permissionId: 'report:publish', requiredLevel }]);
        });
      });
    const unshared = { createSnapshot: (_: string, load: () => unknown) => ({ get: load }) };
    const state = new CatalogueCache(unshared as unknown as CacheFactory, fake<CatalogueRepository>({ findAll }));
    const [older, newer] = [state.ranksFor(PUBLISH), state.ranksFor(PUBLISH)];
    loads[1]!(6);
    const ranks = await newer;
    loads[0]!(2);
    expect((await older).requiredLevel(PUBLISH)).toBe(2);
    expect(ranks.requiredLevel(PUBLISH)).toBe(6);
  });
});
