/** Named facts of an event; an error goes under `err`. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Where the service tells what happens. Secrets in fields are masked by name, yet do not belong there. */
export abstract class Log {
  abstract debug(message: string, fields?: LogFields): void;
  abstract info(message: string, fields?: LogFields): void;
  abstract warn(message: string, fields?: LogFields): void;
  abstract error(message: string, fields?: LogFields): void;

  /** Lines lost since the start, where the log knows. */
  get droppedLines(): number {
    return 0;
  }

  /** A log that adds these fields to each event. */
  abstract child(fields: LogFields): Log;
}
