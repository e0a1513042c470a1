/** Downloads recovery codes as a text file. */
export function saveCodes(codes: readonly string[]): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }));
  link.download = 'recovery-codes.txt';
  link.click();
  URL.revokeObjectURL(link.href);
}
