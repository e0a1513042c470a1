interface Line {
  last: Promise<unknown>;
  length: number;
}

/** Serializes work on the same key; work on different keys runs in parallel. */
export class KeyedMutex {
  private readonly lines = new Map<string, Line>();

  /** Work that runs or waits for the key. */
  lengthOf(name: string): number {
    return this.lines.get(name)?.length ?? 0;
  }

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.lines.get(name);
    const mine = before ? before.last.then(work, work) : work();
    const line = before ?? { last: mine, length: 0 };
    line.last = mine;
    line.length += 1;
    this.lines.set(name, line);
    try {
      return await mine;
    } finally {
      line.length -= 1;
      if (line.length === 0) this.lines.delete(name);
    }
  }
}
