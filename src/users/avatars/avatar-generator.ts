import { toSvg } from 'jdenticon';

/** Draws an avatar from a seed, always the same for the same seed. Replace it to change the look of new avatars. */
export abstract class AvatarGenerator {
  /** Returns an SVG document. The seed matches `[A-Za-z0-9_-]{1,64}`. */
  abstract draw(seed: string): string;
}

const SIZE_PX = 128;

export class IdenticonGenerator extends AvatarGenerator {
  draw(seed: string): string {
    return toSvg(seed, SIZE_PX);
  }
}
