import { faviconOf } from './favicon';

const pictureOf = (name: string): string =>
  decodeURIComponent(faviconOf(name, '#2f6fed').replace('data:image/svg+xml,', ''));

describe('faviconOf', () => {
  it.each([
    [' castellan', '>C</text>'],
    ['统一身份', '>统</text>'],
    ['😀 Club', '>😀</text>'],
    ['<b>', '>&lt;</text>'],
  ])('draws the first letter of %j', (name, letter) => {
    expect(pictureOf(name)).toContain(letter);
  });

  it('has the colour of the service', () => {
    expect(pictureOf('Castellan')).toContain('fill="#2f6fed"');
  });
});
