import { SharedStates } from '../platform/cache';
import { CatalogueState } from './catalogue-state';
import { CatalogueRepository } from './catalogue.repository';

const PUBLISH = { scope: 'crm', resource: 'report', action: 'publish' };

describe('the levels of the catalogue', () => {
  it('are those a check loaded, whatever an older load brings later', async () => {
    const loads: ((requiredLevel: number) => void)[] = [];
    const findAll = (): Promise<object[]> =>
      new Promise((resolve) => {
        loads.push((requiredLevel) => {
          resolve([{ scope: 'crm', permissionId: 'report:publish', requiredLevel }]);
        });
      });
    const unshared = { create: () => ({ read: (_: string, load: () => unknown) => load() }) };
    const state = new CatalogueState(
      unshared as unknown as SharedStates,
      { findAll } as unknown as CatalogueRepository,
    );
    const [older, newer] = [state.ranksFor(PUBLISH), state.ranksFor(PUBLISH)];
    loads[1]!(6);
    const ranks = await newer;
    loads[0]!(2);
    expect((await older).requiredLevel(PUBLISH)).toBe(2);
    expect(ranks.requiredLevel(PUBLISH)).toBe(6);
  });
});
