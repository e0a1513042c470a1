import { toSvg } from 'jdenticon';

/** Draws the avatar of a seed, always the same for the same seed. Replace it to give new users another look. */
export abstract class AvatarGenerator {
  /** An SVG document; the seed is `[A-Za-z0-9_-]{1,64}`. */
  abstract draw(seed: string): string;
}

const SIZE_PX = 128;

export class IdenticonGenerator extends AvatarGenerator {
  draw(seed: string): string {
    return toSvg(seed, SIZE_PX);
  }
}
