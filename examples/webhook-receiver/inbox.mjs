import { open, readFile } from 'node:fs/promises';

/** Longer than the service repeats deliveries: 14 days. */
const KEPT_MS = 14 * 86_400_000;

/**
 * Events that were accepted, in a file that survives a crash. Two kinds of lines: `{"event": …}` and `{"done": id}`. In
 * a real receiver, a table with the event's id as its key takes the place of the file.
 */
export class Inbox {
  /** When each known event was received, by id, oldest first. */
  #known = new Map();

  static async open(file) {
    const inbox = new Inbox();
    const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').slice(0, -1).map(parsed);
    for (const { event, at } of lines) if (event) inbox.#known.set(event.id, at);
    const done = new Set(lines.map((line) => line.done));
    inbox.unfinished = lines.flatMap(({ event }) => (event && !done.has(event.id) ? [event] : []));
    inbox.file = await open(file, 'a');
    return inbox;
  }

  /** Stores the event before it returns. Returns false for an event that is known. */
  async add(event) {
    if (this.#known.has(event.id)) return false;
    const at = Date.now();
    this.#known.set(event.id, at);
    this.#dropOlderThan(at - KEPT_MS);
    try {
      await this.#append({ event, at });
    } catch (error) {
      this.#known.delete(event.id);
      throw error;
    }
    return true;
  }

  finish(event) {
    return this.#append({ done: event.id });
  }

  async #append(line) {
    await this.file.appendFile(`${JSON.stringify(line)}\n`);
    await this.file.datasync();
  }

  #dropOlderThan(before) {
    for (const [id, at] of this.#known) {
      if (at >= before) return;
      this.#known.delete(id);
    }
  }
}

/** A crash may have cut the last line before the next one was added. */
function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}
