// RFC 9110 §9.2.1.
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Whether the method is safe; unknown methods are not. Expects upper case. */
export const isSafeMethod = (method: string): boolean => SAFE_METHODS.has(method);
