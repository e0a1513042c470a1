// RFC 9110 §9.2.1.
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Whether requests of the method, spelled as it is sent, change nothing. One that we do not know may. */
export const isSafeMethod = (method: string): boolean => SAFE_METHODS.has(method);
