import type { Picture } from './picture';

/** Keeps the pictures that users upload. Replace it to keep them elsewhere than in the database. */
export abstract class AvatarPictures {
  /**
   * Stores a picture of a user, in the transaction that makes it the avatar.
   * @param name 22 characters of `[A-Za-z0-9_-]`, unique.
   */
  abstract add(userId: string, name: string, picture: Picture): Promise<void>;

  abstract find(name: string): Promise<Picture | undefined>;

  /** Deletes the user's pictures, except the one of this name. */
  abstract deleteOthers(userId: string, name: string | undefined): Promise<void>;
}
