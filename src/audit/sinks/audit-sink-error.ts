/** A batch that was not accepted. Contains neither address nor content. */
export class AuditSinkError extends Error {
  constructor(
    readonly reason: string,
    /** Whether the receiver objects to the content, so that other events may be accepted. */
    readonly isRejection = false,
  ) {
    super(`The receiver did not accept events of the audit log: ${reason}`);
    this.name = 'AuditSinkError';
  }
}
