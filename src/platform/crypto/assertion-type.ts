/** The `typ` of assertions for other services. In a separate file, because `castellan/guard` loads it without jose. */
export const ASSERTION_TYPE = 'session-assertion+jwt';
