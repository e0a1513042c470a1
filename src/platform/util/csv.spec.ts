import { csvHead, csvLine, CsvRow, readCsv, UnreadableCsv } from './csv';

const rows = (text: string): CsvRow[] => [...readCsv(text)];
const cells = (text: string): (readonly string[])[] => rows(text).map((row) => row.cells);

describe('csvLine', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+4917', "'+4917"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tcmd', "'\tcmd"],
    ['＝1', "'＝1"],
    ["'=1", "''=1"],
    ["O'Hara", "O'Hara"],
    ["'quoted'", "'quoted'"],
    ['a=b', 'a=b'],
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['a\r\nb', '"a\r\nb"'],
    [' a', '" a"'],
    ['', ''],
  ])('writes %j as %j', (text, written) => {
    expect(csvLine([text])).toBe(`${written}\r\n`);
  });

  it('is restored by reading', () => {
    const texts = ['=1', "'=1", "''+2", '+49 "x"', 'a,b;c', ' ', '张伟', "'", 'two\nlines', '\r', '', 'x'];
    expect(cells(csvHead(['a']) + csvLine(texts))).toEqual([['a'], texts]);
  });
});

describe('readCsv', () => {
  it('reads lines with all ends, and counts those in cells', () => {
    expect(rows('a,b\r\n1,"x\ny"\n\n3,4\r5,6')).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['1', 'x\ny'] },
      { line: 5, cells: ['3', '4'] },
      { line: 6, cells: ['5', '6'] },
    ]);
  });

  it('reads semicolons where the first line has them', () => {
    expect(cells('a;b\n1,5;2')).toEqual([
      ['a', 'b'],
      ['1,5', '2'],
    ]);
  });

  it.each(['', '\n', '\uFEFF\r\n,,\r\n'])('finds nothing in %j', (text) => {
    expect(rows(text)).toEqual([]);
  });

  it('keeps an empty last cell', () => {
    expect(cells('a,b,\n')).toEqual([['a', 'b', '']]);
    expect(cells('a,b,')).toEqual([['a', 'b', '']]);
  });

  it.each(['a\nb"c', 'a\n"b', 'a\n"b"c', 'a\nx,"b'])('rejects the quotes of %j', (text) => {
    expect(() => rows(text)).toThrow(new UnreadableCsv(2));
  });
});
