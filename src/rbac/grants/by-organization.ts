import { MaybePromise } from '../../platform/util';

/** Of one user in a second. Ids are whatever requests send, and must not fill the memory. */
const MAX_ORGANIZATIONS = 100;

/** What is known of one user by organization, each loaded once. A failed load is forgotten, so that the next one tries again. */
export class ByOrganization<T> {
  private readonly known = new Map<string | undefined, MaybePromise<T>>();

  /** @param organizationId undefined for what holds everywhere */
  get(organizationId: string | undefined, load: () => Promise<T>): MaybePromise<T> {
    const found = this.known.get(organizationId);
    if (found !== undefined) return found;
    if (this.known.size >= MAX_ORGANIZATIONS) this.known.clear();
    const loading = this.load(organizationId, load);
    this.known.set(organizationId, loading);
    return loading;
  }

  private async load(organizationId: string | undefined, load: () => Promise<T>): Promise<T> {
    try {
      const value = await load();
      this.known.set(organizationId, value);
      return value;
    } catch (error) {
      this.known.delete(organizationId);
      throw error;
    }
  }
}
