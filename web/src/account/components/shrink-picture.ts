const SIDE = 256;
const MAX_BYTES = 100_000;
/** Tried in turn. Browsers that cannot write WebP return another type. */
const ATTEMPTS = [
  { type: 'image/webp', quality: 0.9 },
  { type: 'image/webp', quality: 0.6 },
  { type: 'image/jpeg', quality: 0.85 },
  { type: 'image/jpeg', quality: 0.5 },
];

/**
 * Cuts the square in the middle of a picture, shrinks it to what the service accepts, and drops everything but the
 * pixels, such as the place where a photo was taken. Returns base64; undefined if the browser cannot read the picture.
 */
export async function shrinkPicture(file: Blob): Promise<string | undefined> {
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return undefined;
  const canvas = drawn(picture);
  picture.close();
  for (const { type, quality } of ATTEMPTS) {
    if (type === 'image/jpeg') fillBackground(canvas);
    const blob = await new Promise<Blob | null>((resolve) => {
      canvas.toBlob(resolve, type, quality);
    });
    if (blob?.type === type && blob.size <= MAX_BYTES) return base64(blob);
  }
  return undefined;
}

function drawn(picture: ImageBitmap): HTMLCanvasElement {
  const cut = Math.min(picture.width, picture.height);
  const side = Math.min(cut, SIDE);
  const canvas = Object.assign(document.createElement('canvas'), { width: side, height: side });
  const [x, y] = [(picture.width - cut) / 2, (picture.height - cut) / 2];
  canvas.getContext('2d')?.drawImage(picture, x, y, cut, cut, 0, 0, side, side);
  return canvas;
}

/** JPEG has no transparency. */
function fillBackground(canvas: HTMLCanvasElement): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
}

async function base64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
