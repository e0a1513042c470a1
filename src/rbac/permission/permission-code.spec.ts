import fc from 'fast-check';
import { formatPermissionCode, isScope, parsePermissionCode, permissionIdOf } from './permission-code';

const fifty = `a${'b'.repeat(49)}`;

describe('parsePermissionCode', () => {
  it.each([
    { text: 'role:read', full: 'iam:role:read' },
    { text: 'role:*', full: 'iam:role:*' },
    { text: '*:read', full: 'iam:*:read' },
    { text: '*:*', full: 'iam:*:*' },
    { text: '*', full: 'iam:*:*' },
    { text: 'shop:order:read', full: 'shop:order:read' },
    { text: '*:order:read', full: '*:order:read' },
    { text: '*:*:*', full: '*:*:*' },
    { text: 'role:*:x', full: 'role:*:x' },
    { text: 'iam:*', full: 'iam:iam:*' },
    { text: 'message-template:re_send2', full: 'iam:message-template:re_send2' },
    { text: 'a-:b_', full: 'iam:a-:b_' },
    { text: `${fifty}:${fifty}:${fifty}`, full: `${fifty}:${fifty}:${fifty}` },
  ])('reads "$text" as $full', ({ text, full }) => {
    expect(formatPermissionCode(parsePermissionCode(text, 'iam')!)).toBe(full);
  });

  it.each([
    { text: '', why: 'nothing' },
    { text: ':', why: 'empty parts' },
    { text: '::', why: 'three empty parts' },
    { text: 'role', why: 'one part' },
    { text: 'role:', why: 'empty action' },
    { text: ':read', why: 'empty resource' },
    { text: ':role:read', why: 'empty scope' },
    { text: 'iam::read', why: 'empty resource in a scope' },
    { text: 'iam:role:', why: 'empty action in a scope' },
    { text: 'a:b:c:d', why: 'four parts' },
    { text: '*:*:*:*', why: 'four wildcards' },
    { text: '**', why: 'two wildcards in one part' },
    { text: 'role:**', why: 'a doubled wildcard' },
    { text: 'rol*:read', why: 'a wildcard inside a name' },
    { text: 'role:re*', why: 'a prefix with a wildcard' },
    { text: 'ROLE:*', why: 'upper case resource' },
    { text: 'role:READ', why: 'upper case action' },
    { text: 'Iam:role:read', why: 'upper case scope' },
    { text: 'role:read\n', why: 'trailing newline' },
    { text: '*\n', why: 'wildcard and newline' },
    { text: 'role:read\r\nuser:read', why: 'two lines' },
    { text: '\nrole:read', why: 'leading newline' },
    { text: ' role:read', why: 'leading space' },
    { text: 'role:read ', why: 'trailing space' },
    { text: 'role :read', why: 'inner space' },
    { text: 'role:read\0', why: 'a NUL' },
    { text: '1role:read', why: 'leading digit' },
    { text: '-role:read', why: 'leading hyphen' },
    { text: '_role:read', why: 'leading underscore' },
    { text: 'rôle:read', why: 'a letter outside ASCII' },
    { text: 'role:ſead', why: 'a letter that folds to ASCII' },
    { text: 'role.read', why: 'a dot' },
    { text: 'role/read', why: 'a slash' },
    { text: 'role:read,user:read', why: 'a list' },
    { text: `${fifty}c:read`, why: 'a resource of 51' },
    { text: `role:${fifty}c`, why: 'an action of 51' },
    { text: `${fifty}c:role:read`, why: 'a scope of 51' },
  ])('rejects $why', ({ text }) => {
    expect(parsePermissionCode(text, 'iam')).toBeUndefined();
  });

  it.each(['', 'IAM', 'iam\n', 'a:b', ' iam'])('rejects a code with the malformed default scope %j', (scope) => {
    expect(isScope(scope)).toBe(false);
    expect(parsePermissionCode('role:read', scope)).toBeUndefined();
    expect(parsePermissionCode('shop:role:read', scope)).toBeDefined();
  });

  it('accepts the wildcard as default scope', () => {
    expect(parsePermissionCode('role:read', '*')).toEqual({ scope: '*', resource: 'role', action: 'read' });
  });

  it('reads back what it formats', () => {
    const part = fc.oneof(fc.constant('*'), fc.stringMatching(/^[a-z][a-z0-9_-]{0,49}$/));
    const codes = fc.record({ scope: part, resource: part, action: part });
    fc.assert(
      fc.property(codes, part, (code, otherScope) => {
        expect(parsePermissionCode(formatPermissionCode(code), otherScope)).toEqual(code);
        expect(parsePermissionCode(permissionIdOf(code), code.scope)).toEqual(code);
      }),
    );
  });

  it('formats every text it reads as that text, or with the defaults added', () => {
    const pieces = fc.constantFrom('a', 'role', '*', ':', ':', 'A', ' ', '\n', '1', '-', '_');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 9 }), (chosen) => {
        const text = chosen.join('');
        const code = parsePermissionCode(text, 'iam');
        if (!code) return;
        expect([formatPermissionCode(code), permissionIdOf(code)]).toContain(text === '*' ? '*:*' : text);
      }),
      { numRuns: 2_000 },
    );
  });
});
