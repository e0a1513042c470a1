import {
  ATTRIBUTES,
  ENTERPRISE,
  membersOf,
  na,
  patchedGroup,
  patchedUser,
  sales,
  scimErrorOf,
} from '../../../../test/support/directories/scim';
import { ScimResource } from './schema';

const ofUser = (...operations: object[]): ScimResource => patchedUser(na, ...operations);
const ofGroup = (...operations: object[]): ScimResource => patchedGroup(sales, ...operations);

describe('applyPatch', () => {
  describe('as Entra ID sends it', () => {
    it.each(['False', 'false', 'FALSE', false, [{ $ref: null, value: 'False' }]])('deactivates by %j', (value) => {
      expect(ofUser({ op: 'Replace', path: 'active', value })).toEqual({ ...na, active: false });
    });

    it('adds the address of a type that is there, and one that is not', () => {
      expect(ofUser({ op: 'Add', path: 'emails[type eq "work"].value', value: 'n@corp.example' })['emails']).toEqual([
        { value: 'n@corp.example', type: 'work', primary: true },
        { value: 'na@home.example', type: 'home' },
      ]);
      expect(
        ofUser({ op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+86 1' })['phoneNumbers'],
      ).toEqual([{ value: '+86 1', type: 'mobile' }]);
    });

    it.each(['m2', { value: 'm2' }, [{ $ref: null, value: 'm2' }]])('sets the manager to %j', (value) => {
      expect(ofUser({ op: 'Replace', path: `${ENTERPRISE}:manager`, value })[ENTERPRISE]).toEqual({
        department: 'Sales',
        manager: { value: 'm2' },
      });
    });

    it('reads dotted names, URNs and filters in an object without a path', () => {
      const value = {
        displayName: 'Li Na',
        'name.givenName': 'Nana',
        [`${ENTERPRISE}:department`]: 'HR',
        [ENTERPRISE]: { costCenter: '4', 'manager.value': 'm3' },
        [`${ATTRIBUTES}:employee_no`]: '17',
        'emails[type eq "work"].value': 'nana@corp.example',
        'urn:ietf:params:scim:schemas:core:2.0:User:title': 'Lead',
      };
      expect(ofUser({ op: 'replace', value })).toEqual({
        ...na,
        displayName: 'Li Na',
        title: 'Lead',
        name: { familyName: 'Li', givenName: 'Nana' },
        emails: [{ value: 'nana@corp.example', type: 'work', primary: true }, (na['emails'] as object[])[1]],
        [ENTERPRISE]: { department: 'HR', costCenter: '4', manager: { value: 'm3' } },
        [ATTRIBUTES]: { employee_no: '17' },
      });
    });

    it('removes the members that are named, and no others', () => {
      expect(membersOf(ofGroup({ op: 'Remove', path: 'members', value: [{ value: 'b' }] }))).toBe('ac');
      expect(membersOf(ofGroup({ op: 'Remove', path: 'members', value: [{ value: 'a' }, { value: 'x' }] }))).toBe('bc');
      expect(membersOf(ofGroup({ op: 'Remove', path: 'members', value: { value: 'c' } }))).toBe('ab');
      expect(membersOf(ofGroup({ op: 'Remove', path: 'members', value: 'c' }))).toBe('ab');
      expect(membersOf(ofGroup({ op: 'Remove', path: 'members', value: [] }))).toBe('abc');
      expect(membersOf(ofGroup({ op: 'Remove', path: 'members', value: [null] }))).toBe('abc');
      expect(scimErrorOf(() => ofGroup({ op: 'Remove', path: 'members', value: [{}] })).scimType).toBe('invalidValue');
      expect(scimErrorOf(() => ofGroup({ op: 'Remove', path: 'members', value: [{ id: 'a' }] })).detail).toBe(
        'Operations[0]: members[0].value: a value is required',
      );
    });

    it('returns an equal resource when it repeats itself', () => {
      expect(
        ofUser(
          { op: 'Replace', path: 'active', value: 'True' },
          { op: 'Add', path: 'emails[type eq "work"].value', value: 'li.na@corp.example' },
          { op: 'Replace', path: `${ENTERPRISE}:manager`, value: 'm1' },
        ),
      ).toEqual(na);
      expect(ofGroup({ op: 'Add', path: 'members', value: [{ value: 'b' }] })).toEqual(sales);
    });
  });

  describe('as Okta sends it', () => {
    it('deactivates without a path', () => {
      expect(ofUser({ op: 'replace', value: { active: false } })).toEqual({ ...na, active: false });
    });

    it('removes one member and adds another', () => {
      const group = ofGroup(
        { op: 'remove', path: 'members[value eq "a"]' },
        { op: 'add', path: 'members', value: [{ value: 'd', display: 'd@corp.example' }] },
      );
      expect(membersOf(group)).toBe('bcd');
    });

    it('renames a group with its id in the value', () => {
      expect(ofGroup({ op: 'replace', value: { id: 'other', displayName: 'Sales EU' } })).toEqual({
        ...sales,
        displayName: 'Sales EU',
      });
    });
  });
});
