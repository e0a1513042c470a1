import { textColorOn } from './color';

describe('textColorOn', () => {
  it.each([
    ['#000000', '#fff'],
    ['#ffffff', '#000'],
    ['#2f6fed', '#fff'],
    ['#ffd400', '#000'],
    ['#FF0000', '#000'],
    ['#c00000', '#fff'],
  ])('is readable on %s', (color, text) => {
    expect(textColorOn(color)).toBe(text);
  });
});
