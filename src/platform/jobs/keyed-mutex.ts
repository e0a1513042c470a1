/** Serializes work on the same key; work on different keys runs in parallel. */
export class KeyedMutex {
  private readonly last = new Map<string, Promise<unknown>>();

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(name);
    const mine = before ? before.then(work, work) : work();
    this.last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (this.last.get(name) === mine) this.last.delete(name);
    }
  }
}
