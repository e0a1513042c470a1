import type { ReactNode } from 'react';
import { encode } from 'uqr';

/** QR code as SVG. It is rendered locally, so that the text never leaves the page. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const { data, size } = encode(text, { border: 2 });
  const squares = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path fill="#fff" d={`M0 0h${size}v${size}h-${size}z`} />
      <path fill="#000" d={squares.join('')} />
    </svg>
  );
}
