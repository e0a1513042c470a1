import { doesNotMatch, equal, match, notEqual, ok } from 'node:assert/strict';
import type { AvatarGenerator } from '../../users/avatars';
import { ContractCase, contractOf, forEach, Make, UnderTest } from './contract-case';

export interface AvatarsUnderTest extends UnderTest {
  readonly avatars: AvatarGenerator;
}

const seeds = ['a', 'PwjLhMV9hby1xJzR6yoWRg', '_'.repeat(64), '0-0'];
/** Avatars appear many times on list pages, so they must be small. */
const MAX_CHARACTERS = 64 * 1024;

/** The contract of every `AvatarGenerator`. */
export function avatarGeneratorContract(make: Make<AvatarsUnderTest>): ContractCase[] {
  return contractOf<AvatarsUnderTest>(make, {
    ...forEach<string, AvatarsUnderTest>(
      seeds,
      (seed) => `draws an SVG document for ${seed}`,
      ({ avatars }, seed) => {
        const drawn = avatars.draw(seed);
        match(drawn, /^\s*(<\?xml[^>]*\?>\s*)?<svg[\s>][^]*<\/svg>\s*$/);
        match(drawn, /xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
        ok(drawn.length <= MAX_CHARACTERS, `${drawn.length} characters`);
      },
    ),
    'draws the same avatar for the same seed': ({ avatars }) => {
      for (const seed of seeds) equal(avatars.draw(seed), avatars.draw(seed));
    },
    'draws different avatars for different seeds': ({ avatars }) => {
      notEqual(avatars.draw('PwjLhMV9hby1xJzR6yoWRg'), avatars.draw('hs8dQ0S2NnTzv1xJ6c4Wfw'));
    },
    'draws no scripts and no external references': ({ avatars }) => {
      const drawn = avatars.draw('PwjLhMV9hby1xJzR6yoWRg').replace(/\sxmlns(:\w+)?="[^"]*"/g, '');
      doesNotMatch(drawn, /<script|<foreignObject|\son\w+\s*=|javascript:|https?:|<!ENTITY/i);
    },
  });
}
