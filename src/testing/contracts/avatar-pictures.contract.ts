import { deepEqual, equal } from 'node:assert/strict';
import type { AvatarPictures, Picture } from '../../users/avatars';
import { ContractCase, contractOf, Make, UnderTest } from './contract-case';

export interface PicturesUnderTest extends UnderTest {
  readonly pictures: AvatarPictures;
  /** Ids of two users without pictures. */
  readonly userIds: readonly [string, string];
}

const picture = (content: string): Picture => ({ format: 'png', content: Buffer.from(content) });
const [FIRST, SECOND, THIRD] = ['1', '2', '3'].map((end) => end.padStart(22, '-')) as [string, string, string];

/** The contract of every `AvatarPictures`. */
export function avatarPicturesContract(make: Make<PicturesUnderTest>): ContractCase[] {
  return contractOf<PicturesUnderTest>(make, {
    'finds a picture by its name, unchanged': async ({ pictures, userIds: [ann] }) => {
      await pictures.add(ann, FIRST, { format: 'webp', content: Buffer.from([0, 255, 10, 13]) });
      const found = await pictures.find(FIRST);
      equal(found?.format, 'webp');
      deepEqual(found.content, Buffer.from([0, 255, 10, 13]));
    },
    'finds nothing under an unknown name': async ({ pictures }) => {
      equal(await pictures.find('x'.repeat(22)), undefined);
    },
    'deletes the other pictures of the user only': async ({ pictures, userIds: [ann, bob] }) => {
      await pictures.add(ann, FIRST, picture('old'));
      await pictures.add(ann, SECOND, picture('new'));
      await pictures.add(bob, THIRD, picture('of Bob'));
      await pictures.deleteOthers(ann, SECOND);
      const found = await Promise.all([FIRST, SECOND, THIRD].map((name) => pictures.find(name)));
      deepEqual(
        found.map((each) => each?.content.toString()),
        [undefined, 'new', 'of Bob'],
      );
    },
    'deletes all pictures of the user': async ({ pictures, userIds: [ann] }) => {
      await pictures.add(ann, FIRST, picture('last'));
      await pictures.deleteOthers(ann, undefined);
      equal(await pictures.find(FIRST), undefined);
    },
  });
}
