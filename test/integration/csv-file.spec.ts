import { readCsv } from '../../web/src/console/users/csv-file';

const bytes = (...values: (number | string)[]): Uint8Array =>
  Buffer.concat(
    values.map((value) => (typeof value === 'number' ? Buffer.from([value]) : Buffer.from(value, 'latin1'))),
  );
const utf8 = (text: string): Uint8Array => Buffer.from(text, 'utf8');

describe('readCsv', () => {
  it.each([
    ['UTF-8', utf8('username\n王小明'), 'username\n王小明'],
    ['a byte order mark', utf8('\uFEFFusername'), 'username'],
    ['nothing', bytes(), ''],
  ])('reads %s', (_, file, csv) => {
    expect(readCsv(file)).toEqual({ csv });
  });

  it.each([
    ['GBK', 'GBK', bytes('username\n', 0xcd, 0xf5, 0xd0, 0xa1, 0xc3, 0xf7)],
    ['GBK beside ASCII', 'GBK', bytes('a,', 0xd6, 0xd0, ',b,', 0xce, 0xc4, ',c')],
    ['Western text', 'WINDOWS-1252', bytes('name\nJos', 0xe9, ' M', 0xfc, 'ller')],
    ['UTF-16 with a mark', 'UTF-16', Buffer.from('\uFEFFusername', 'utf16le')],
    ['UTF-16 without one', 'UTF-16', Buffer.from('username', 'utf16le')],
    ['gzip', 'GZIP', bytes(0x1f, 0x8b, 0x08)],
    ['a workbook', 'XLSX/ZIP', bytes('PK', 0x03, 0x04)],
  ])('names %s', (_, format, file) => {
    expect(readCsv(file)).toEqual({ format });
  });
});
