import { CodePurposeRegistry } from './code-purpose.registry';

describe('CodePurposeRegistry', () => {
  it('runs the rule of a purpose, and none for others', async () => {
    const rules = new CodePurposeRegistry();
    rules.guard('register', () => Promise.reject(new Error('closed')));
    await expect(rules.requireOpen('register')).rejects.toThrow('closed');
    await expect(rules.requireOpen('bind')).resolves.toBeUndefined();
  });

  it('accepts one rule for a purpose', () => {
    const rules = new CodePurposeRegistry();
    rules.guard('register', () => Promise.resolve());
    expect(() => {
      rules.guard('register', () => Promise.resolve());
    }).toThrow('Duplicate rule for codes with the purpose register');
  });
});
