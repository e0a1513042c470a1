/** Fields of an event; an error has the name `err`. */
export type LogFields = Readonly<Record<string, unknown>>;

/** The log of the service. Secrets in fields are masked by name, but should not be passed at all. */
export abstract class Log {
  abstract debug(message: string, fields?: LogFields): void;
  abstract info(message: string, fields?: LogFields): void;
  abstract warn(message: string, fields?: LogFields): void;
  abstract error(message: string, fields?: LogFields): void;

  /** Lines lost since startup, if the log counts them. */
  get droppedLines(): number {
    return 0;
  }

  /** Returns a log that adds these fields to each event. */
  abstract child(fields: LogFields): Log;
}
