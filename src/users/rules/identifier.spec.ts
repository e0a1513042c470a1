import { classifyIdentifier } from './identifier';

describe('classifyIdentifier', () => {
  it.each([
    { text: 'ann', kind: 'username' },
    { text: 'ANN_9', kind: 'username' },
    { text: '13800138000', kind: 'username' },
    { text: '', kind: 'username' },
    { text: ' +8613800138000', kind: 'username' },
    { text: '138+', kind: 'username' },
    { text: '+8613800138000', kind: 'phone' },
    { text: 'tel:13800138000', kind: 'phone' },
    { text: 'telephone', kind: 'username' },
    { text: '+', kind: 'phone' },
    { text: 'ann@example.com', kind: 'email' },
    { text: '+1@example.com', kind: 'email' },
    { text: '@', kind: 'email' },
  ])('classifies $text as $kind', ({ text, kind }) => {
    expect(classifyIdentifier(text)).toBe(kind);
  });
});
