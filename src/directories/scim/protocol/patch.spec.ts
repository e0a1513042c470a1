import {
  ATTRIBUTES,
  ENTERPRISE,
  na,
  patchedUser,
  scimErrorOf,
  userType,
} from '../../../../test/support/directories/scim';
import { applyPatch, readPatch } from './patch';
import { ScimResource } from './schema';

const ofUser = (...operations: object[]): ScimResource => patchedUser(na, ...operations);

describe('readPatch', () => {
  it.each([
    [null],
    [[]],
    ['text'],
    [{}],
    [{ Operations: {} }],
    [{ Operations: [] }],
    [{ Operations: [null] }],
    [{ Operations: [{ op: 'move', path: 'active', value: true }] }],
    [{ Operations: [{ op: 1, path: 'active', value: true }] }],
    [{ Operations: [{ path: 'active', value: true }] }],
    [{ Operations: [{ op: 'add', path: 'active' }] }],
    [{ Operations: [{ op: 'replace' }] }],
  ])('rejects %j as invalidSyntax', (body) => {
    expect(scimErrorOf(() => readPatch(body))).toMatchObject({ status: 400, scimType: 'invalidSyntax' });
  });

  it('names the operation that is wrong', () => {
    const good = { op: 'remove', path: 'title' };
    expect(scimErrorOf(() => readPatch({ Operations: [good, { op: 'remove', path: 7 }] }))).toEqual({
      status: 400,
      scimType: 'invalidPath',
      detail: 'Operations[1]: path: a text expected',
    });
    expect(scimErrorOf(() => ofUser(good, { op: 'remove', path: 'colour' })).detail).toBe(
      'Operations[1]: path: unknown attribute "colour" at character 1',
    );
  });

  it('limits the number of operations', () => {
    const operations = (length: number): object => ({
      operations: Array.from({ length }, () => ({ OP: 'REMOVE', Path: 'title' })),
    });
    expect(readPatch(operations(1_000))).toHaveLength(1_000);
    expect(scimErrorOf(() => readPatch(operations(1_001)))).toMatchObject({ status: 413 });
  });
});

describe('applyPatch', () => {
  it('leaves the given resource as it is', () => {
    const before = structuredClone(na);
    ofUser(
      { op: 'replace', path: 'emails[type eq "work"].value', value: 'x@corp.example' },
      { op: 'replace', path: `${ENTERPRISE}:department`, value: 'HR' },
      { op: 'remove', path: 'name.givenName' },
      { op: 'remove', path: 'emails' },
    );
    expect(na).toEqual(before);
  });

  it('changes nothing when one of the operations is wrong', () => {
    const operations = [
      { op: 'replace', path: 'active', value: false },
      { op: 'add', path: 'x', value: 1 },
    ];
    expect(scimErrorOf(() => ofUser(...operations)).scimType).toBe('invalidPath');
    expect(na['active']).toBe(true);
  });

  it.each<[string, object, object]>([
    ['a value', { op: 'add', path: 'title', value: 'Lead' }, { title: 'Lead' }],
    ['a value in brackets', { op: 'add', path: 'title', value: ['Lead'] }, { title: 'Lead' }],
    [
      'parts of a name',
      { op: 'add', path: 'name', value: { middleName: 'X', givenName: null } },
      { name: { familyName: 'Li', givenName: 'Na', middleName: 'X' } },
    ],
    [
      'parts that are null',
      { op: 'replace', path: 'name', value: { givenName: null } },
      { name: { familyName: 'Li' } },
    ],
    ['null', { op: 'replace', path: 'name', value: null }, { name: undefined }],
    ['an addition of null', { op: 'add', path: 'name', value: null }, {}],
    ['a part', { op: 'replace', path: 'name.givenName', value: 'N' }, { name: { familyName: 'Li', givenName: 'N' } }],
    ['a removed part', { op: 'remove', path: 'name.givenName' }, { name: { familyName: 'Li' } }],
    ['a removed part that is missing', { op: 'remove', path: 'name.middleName' }, {}],
    ['a removed value', { op: 'remove', path: 'externalId', value: '7c3e' }, { externalId: undefined }],
    [
      'unknown names',
      { op: 'add', value: { colour: 'red', name: { colour: 'red' }, groups: [], password: 'x', meta: {} } },
      {},
    ],
    ['a password', { op: 'replace', path: 'password', value: 'secret' }, {}],
    [
      'an extension',
      { op: 'add', path: ATTRIBUTES, value: { Level: '7.5', REMOTE: 'True', teams: 'red' } },
      { [ATTRIBUTES]: { level: 7.5, remote: true, teams: ['red'] } },
    ],
    ['a removed extension', { op: 'remove', path: ENTERPRISE }, { [ENTERPRISE]: undefined }],
    ['an extension that is null', { op: 'replace', value: { [ENTERPRISE]: null } }, { [ENTERPRISE]: undefined }],
    [
      'the last of an extension',
      { op: 'replace', path: ENTERPRISE, value: { department: null, manager: null } },
      { [ENTERPRISE]: undefined },
    ],
  ])('assigns %s', (_, operation, expected) => {
    const result = ofUser(operation);
    const absent = Object.entries(expected).filter(([, value]) => value === undefined);
    expect(result).toEqual({ ...na, ...expected });
    for (const [name] of absent) expect(Object.keys(result)).not.toContain(name);
  });

  it.each<[string, object, string]>([
    ['read-only', { op: 'replace', path: 'id', value: 'u2' }, 'mutability'],
    ['read-only', { op: 'remove', path: 'groups' }, 'mutability'],
    ['read-only', { op: 'add', path: 'meta.version', value: '1' }, 'mutability'],
    ['read-only', { op: 'replace', path: `${ENTERPRISE}:manager.displayName`, value: 'X' }, 'mutability'],
    ['required', { op: 'remove', path: 'userName' }, 'mutability'],
    ['required', { op: 'replace', path: 'userName', value: null }, 'invalidValue'],
    ['required', { op: 'replace', path: 'userName', value: '' }, 'invalidValue'],
    ['without a path', { op: 'remove', value: [{ value: 'a' }] }, 'noTarget'],
    ['without an object', { op: 'add', value: 'text' }, 'invalidValue'],
    ['of another type', { op: 'replace', path: 'active', value: 'yes' }, 'invalidValue'],
    ['of another type', { op: 'replace', path: 'active', value: 1 }, 'invalidValue'],
    ['of another type', { op: 'replace', path: 'active', value: [true, false] }, 'invalidValue'],
    ['of another type', { op: 'replace', path: 'title', value: 7 }, 'invalidValue'],
    ['of another type', { op: 'replace', path: 'title', value: { en: 'x' } }, 'invalidValue'],
    ['of another type', { op: 'replace', path: 'title', value: 'a\0b' }, 'invalidValue'],
    ['of another type', { op: 'replace', path: 'title', value: 'x'.repeat(8_193) }, 'invalidValue'],
    ['of another type', { op: 'replace', path: 'name', value: 'Li Na' }, 'invalidValue'],
    ['of another type', { op: 'replace', path: ATTRIBUTES, value: 'x' }, 'invalidValue'],
    ['of another type', { op: 'replace', path: `${ATTRIBUTES}:level`, value: 'seven' }, 'invalidValue'],
    ['of another type', { op: 'replace', path: 'x509Certificates', value: [{ value: '<pem>' }] }, 'invalidValue'],
    ['with two primaries', { op: 'replace', path: 'emails.primary', value: true }, 'invalidValue'],
    [
      'with two primaries',
      {
        op: 'add',
        path: 'emails',
        value: [
          { value: 'x', primary: true },
          { value: 'y', primary: true },
        ],
      },
      'invalidValue',
    ],
    [
      'with too many values',
      { op: 'add', path: 'ims', value: Array.from({ length: 101 }, (_, at) => `${at}`) },
      'invalidValue',
    ],
    [
      'with too many values',
      { op: 'add', path: 'emails', value: Array.from({ length: 99 }, (_, at) => `${at}`) },
      'invalidValue',
    ],
    ['without a name of what it removes', { op: 'remove', path: 'emails', value: [{ primary: true }] }, 'invalidValue'],
    [
      'with a filter for nothing',
      { op: 'replace', path: 'emails[type ne "work" and type ne "home"].value', value: 'x' },
      'noTarget',
    ],
    [
      'with a filter for nothing',
      { op: 'add', path: 'emails[type eq "a" or type eq "b"]', value: { value: 'x' } },
      'noTarget',
    ],
  ])('rejects an operation that is %s', (_, operation, scimType) => {
    expect(scimErrorOf(() => ofUser(operation))).toMatchObject({ status: 400, scimType });
  });

  it('keeps names that every object has apart', () => {
    const body: unknown = JSON.parse(
      '{"Operations":[{"op":"add","value":{"__proto__":{"active":false},"constructor":{"x":1},"toString":1,"name":{"__proto__":{"givenName":"X"}}}}]}',
    );
    expect(applyPatch(na, readPatch(body), userType)).toEqual(na);
    expect(Object.getPrototypeOf(applyPatch(na, readPatch(body), userType))).toBe(Object.prototype);
  });
});
