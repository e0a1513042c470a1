/** Works on the events of one subject one after the other, and on those of different subjects at the same time. */
export class Subjects {
  #last = new Map();

  constructor(work) {
    this.work = work;
  }

  add(event) {
    const subject = event.subject ? `${event.subject.type}:${event.subject.id}` : event.id;
    const done = (this.#last.get(subject) ?? Promise.resolve()).then(() => this.work(event));
    this.#last.set(subject, done);
    void done.finally(() => {
      if (this.#last.get(subject) === done) this.#last.delete(subject);
    });
  }
}
