import { CandidateOrganization } from './candidate-organization';
import { ImportedOrganizationPlan } from './imported-organization-plan';

const candidate = (sourceId: string, ...slugs: string[]): CandidateOrganization => ({
  sourceId,
  slugs,
  name: sourceId,
  domains: [],
});

describe('ImportedOrganizationPlan', () => {
  let plan: ImportedOrganizationPlan;
  let made: number;

  beforeEach(() => {
    made = 0;
    plan = new ImportedOrganizationPlan(() => `id-${++made}`);
  });

  it('plans each organization once', () => {
    expect(plan.place(candidate('a', 'acme'))?.id).toBe('id-1');
    expect(plan.place(candidate('a', 'acme'))?.id).toBe('id-1');
    expect(plan.takeNew().map(({ slug }) => slug)).toEqual(['acme']);
    expect(plan.takeNew()).toEqual([]);
  });

  it('takes the second slug if the first one belongs to another organization, stored or planned', () => {
    plan.learn([], ['acme']);
    plan.place(candidate('a', 'acme', 'acme-1'));
    plan.place(candidate('b', 'other', 'other-1'));
    plan.place(candidate('c', 'other', 'other-2'));
    expect(plan.takeNew().map(({ slug }) => slug)).toEqual(['acme-1', 'other', 'other-2']);
  });

  it('places no user in an organization that an import did not create', () => {
    plan.learn([], ['acme', 'acme-1']);
    expect(plan.place(candidate('a', 'acme', 'acme-1'))).toBeUndefined();
    expect(plan.place(candidate('b'))).toBeUndefined();
    expect(plan.takeNew()).toEqual([]);
  });

  it('finds an organization of an earlier import, whatever its slug is now', () => {
    plan.learn([{ sourceId: 'a', id: 'stored', name: 'A' }], ['renamed']);
    expect(plan.place(candidate('a', 'acme'))?.id).toBe('stored');
    expect(plan.takeNew()).toEqual([]);
  });
});
