import { ImportedGroupPlan } from './imported-group-plan';

describe('ImportedGroupPlan', () => {
  let plan: ImportedGroupPlan;

  beforeEach(() => {
    let ids = 0;
    plan = new ImportedGroupPlan(() => `new ${ids++}`);
    plan.learn([
      { id: 'staff', name: 'Staff', parentId: null, hasRoles: false },
      { id: 'editors', name: 'Editors', parentId: 'staff', hasRoles: false },
      { id: 'rulers', name: 'Rulers', parentId: 'staff', hasRoles: true },
      { id: 'heirs', name: 'Heirs', parentId: 'rulers', hasRoles: false },
    ]);
  });

  it('finds groups by their path, ignoring case, and makes none twice', () => {
    expect(plan.place(['staff', 'EDITORS'])).toMatchObject({ id: 'editors', path: ['staff', 'editors'] });
    expect(plan.place(['Staff', 'Night', 'Berlin'])?.path).toEqual(['staff', 'new 0', 'new 1']);
    expect(plan.place(['Staff', 'night'])).toMatchObject({ id: 'new 0', name: 'Night' });
    expect(plan.takeNew().map(({ name, parentId }) => [name, parentId])).toEqual([
      ['Night', 'staff'],
      ['Berlin', 'new 0'],
    ]);
    expect(plan.takeNew()).toEqual([]);
  });

  it.each<[string, string[]]>([
    ['without names', []],
    ['with an empty name', ['Staff', '']],
    ['with a name that cannot be stored', ['a\u0000b']],
    ['with half a character', ['\ud800']],
    ['with a long name', ['x'.repeat(101)]],
    ['with seven levels', ['a', 'b', 'c', 'd', 'e', 'f', 'g']],
    ['with one name twice', ['Loop', 'loop']],
    ['with a name of a group elsewhere', ['Other', 'Editors']],
    ['with a name of a group below another', ['Editors']],
    ['of a group with roles', ['Staff', 'Rulers']],
    ['of a group below one with roles', ['Staff', 'Rulers', 'Heirs']],
    ['of a new group below one with roles', ['Staff', 'Rulers', 'New']],
  ])('makes nothing of a path %s', (_, names) => {
    expect(plan.place(names)).toBeUndefined();
    expect(plan.takeNew()).toEqual([]);
  });

  it('gives a name to the first path that has it', () => {
    expect(plan.place(['A', 'Admins'])).toBeDefined();
    expect(plan.place(['B', 'Admins'])).toBeUndefined();
    expect(plan.takeNew().map(({ name }) => name)).toEqual(['A', 'Admins']);
  });
});
