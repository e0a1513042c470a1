import { saveFile } from './save-file';

/** Downloads recovery codes as a text file. */
export function saveCodes(codes: readonly string[]): void {
  saveFile('recovery-codes.txt', new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }));
}
