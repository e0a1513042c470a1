/** The text of a file, or what it is instead of UTF-8. */
export type ReadFile = { readonly csv: string } | { readonly format: string };

/** First bytes of what people choose in place of a CSV file. A workbook is a ZIP archive. */
const SIGNATURES: readonly (readonly [format: string, ...bytes: number[]])[] = [
  ['GZIP', 0x1f, 0x8b],
  ['XLSX/ZIP', 0x50, 0x4b, 0x03, 0x04],
  ['XLS', 0xd0, 0xcf, 0x11, 0xe0],
  ['UTF-16', 0xff, 0xfe],
  ['UTF-16', 0xfe, 0xff],
];

/** Unlike `File.text()`, puts no other characters in place of those it cannot read. */
export function readCsv(bytes: Uint8Array): ReadFile {
  const found = SIGNATURES.find(([, ...signature]) => signature.every((byte, place) => bytes[place] === byte));
  if (found) return { format: found[0] };
  try {
    const csv = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return csv.includes('\0') ? { format: 'UTF-16' } : { csv };
  } catch {
    return { format: likelyEncoding(bytes) };
  }
}

/** Letters of GBK are pairs of bytes. Those of Western encodings stand alone between ASCII letters. */
function likelyEncoding(bytes: Uint8Array): string {
  let [paired, single, run] = [0, 0, 0];
  for (const byte of [...bytes, 0]) {
    if (byte >= 0x80) {
      run += 1;
      continue;
    }
    if (run > 0) [paired, single] = run % 2 === 0 ? [paired + 1, single] : [paired, single + 1];
    run = 0;
  }
  return paired > single ? 'GBK' : 'WINDOWS-1252';
}
